import h5py
import numpy
import os
exec(open(os.environ["SOURCE"] + "/tests/cases/snapshot.py").read())


def cut(path, rows, **how):
    with plain(path) as file:
        del file["PartType1/Coordinates"]
        made = file.create_dataset("PartType1/Coordinates", (N, 3), "f8", **how)
        if rows:
            made[:rows] = places[:rows]


cut("chunks.hdf5", 20, chunks=(10, 3))
cut("packed.hdf5", 20, chunks=(10, 3), compression="gzip")
cut("none.hdf5", 0)
cut("whole.hdf5", N, chunks=(7, 2), maxshape=(None, 3), compression="gzip", shuffle=True)
with plain("short.hdf5") as file:  # raw data beside it, of which the end is missing
    del file["PartType1/Coordinates"]
    file.create_dataset("PartType1/Coordinates", data=places, external=[("raw", 0, places.nbytes)])
os.truncate("raw", 300)
with plain("ids.hdf5") as file:
    del file["PartType1/ParticleIDs"]
    file.create_dataset("PartType1/ParticleIDs", (N,), "u8")
