from snapshot import *


def packed(path, number, name=b""):  # as a program that has the filter leaves it
    with plain(path) as file:
        del file["PartType1/Coordinates"]
        how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        how.set_chunk((10, 3))
        how.set_filter(number, h5py.h5z.FLAG_OPTIONAL)
        made = h5py.h5d.create(file["PartType1"].id, b"Coordinates", h5py.h5t.IEEE_F64LE,
                               h5py.h5s.create_simple((N, 3)), how)
        for first in range(0, N, 10):
            made.write_direct_chunk((first, 0), places[first:first + 10].tobytes()[:99])


for name, number in (("zstd", 32015), ("lz4", 32004), ("bitshuffle", 32008), ("other", 32767)):
    packed(name + ".hdf5", number)
