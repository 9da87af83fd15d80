from snapshot import *


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

# Allocated early, whatever is written: the rows that are not hold the fill value.
early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
early.set_fill_time(h5py.h5d.FILL_TIME_ALLOC)


def begun(path, name, values, rows, fill=None):
    how = early.copy()
    if fill is not None:
        how.set_fill_value(numpy.array(fill, "f8"))
    with plain(path) as file:
        del file["PartType1/" + name]
        made = h5py.h5d.create(file["PartType1"].id, name.encode(), h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple(values.shape), how)
        if rows:
            h5py.Dataset(made)[:rows] = values[:rows]


begun("marked.hdf5", "Masses", numpy.full(N, 0.01), 20, -99.0)
begun("zeros.hdf5", "Coordinates", places, 0)
begun("places.hdf5", "Coordinates", places, 20)
begun("masses.hdf5", "Masses", numpy.full(N, 0.01), 20)
