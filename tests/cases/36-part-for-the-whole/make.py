import h5py
import numpy
import os
exec(open(os.environ["SOURCE"] + "/tests/cases/snapshot.py").read())

plain("half.hdf5", total=[0, 2 * N, 0, 0, 0, 0], Time=0.5).close()
for part in (0, 1):
    plain("mixed.%d.hdf5" % part, total=[0, 2 * N, 0, 0, 0, 0], files=2, Time=0.5 + part).close()
