from snapshot import *

plain("half.hdf5", total=[0, 2 * N, 0, 0, 0, 0], Time=0.5).close()
for part in (0, 1):
    plain("mixed.%d.hdf5" % part, total=[0, 2 * N, 0, 0, 0, 0], files=2, Time=0.5 + part).close()
for part in (0, 1):  # of two runs, of several lengths
    plain("masses.%d.hdf5" % part, total=[0, 2 * N, 0, 0, 0, 0], files=2, table=[0, 0, 0.01 + part, 0, 0, 0]).close()
    plain("totals.%d.hdf5" % part, total=[0, 2 * N + part, 0, 0, 0, 0], files=2).close()
    plain("whole.%d.hdf5" % part, total=[0, 2 * N, 0, 0, 0, 0], files=2).close()
plain("more.hdf5", total=[0, 12, 0, 0, 0, 0]).close()
with plain("huge.hdf5") as file:
    file["Header"].attrs["NumPart_Total_HighWord"] = numpy.array([0, 1, 0, 0, 0, 0], "u4")
os.symlink("whole.1.hdf5", "link.hdf5")
