from snapshot import *


def virtual(path, **sources):  # name = (rows from, rows to, rows that it has)
    file = h5py.File(path, "w")
    header(file, [0, N, 0, 0, 0, 0])
    bodies(file, leave=["Coordinates"])
    layout = h5py.VirtualLayout((N, 3), "f8")
    for name, (first, last, has) in sources.items():
        layout[first:last] = h5py.VirtualSource(name + ".hdf5", "PartType1/Coordinates", (last - first, 3))
        with h5py.File(name + ".hdf5", "w") as part:
            part.create_dataset("PartType1/Coordinates", data=places[first:first + has])
    file.create_virtual_dataset("PartType1/Coordinates", layout)


os.makedirs("sub", exist_ok=True)
os.chdir("sub")
virtual("gone.hdf5", a=(0, 10, 10), b=(10, N, 20))
os.remove("b.hdf5")
virtual("short.hdf5", c=(0, 10, 10), d=(10, N, 15))
virtual("unmapped.hdf5", e=(0, 10, 10), f=(10, 25, 15))
virtual("whole.hdf5", g=(0, 10, 10), h=(10, N, 20))
with h5py.File("whole.hdf5", "a") as file:  # as SWIFT marks the file that holds all of its ranks
    file["Header"].attrs["Virtual"], file["Header"].attrs["NumFilesPerSnapshot"] = 1, 2
os.chdir("..")
plain("unwritten.hdf5")
with h5py.File("cut.hdf5", "w") as part:  # the source is there, its rows are not
    part.create_dataset("PartType1/Coordinates", (N, 3), "f8", chunks=(10, 3))[:10] = places[:10]
with h5py.File("unwritten.hdf5", "a") as file:
    del file["PartType1/Coordinates"]
    layout = h5py.VirtualLayout((N, 3), "f8")
    layout[:] = h5py.VirtualSource("cut.hdf5", "PartType1/Coordinates", (N, 3))
    file.create_virtual_dataset("PartType1/Coordinates", layout)

# Two mappings onto the same rows leave others without; a link to a file with sources beside that.
with plain("overlap.hdf5") as file:
    del file["PartType1/Coordinates"]
    layout = h5py.VirtualLayout((N, 3), "f8")
    layout[:20] = h5py.VirtualSource("half.hdf5", "Rows", (20, 3))
    layout[5:15] = h5py.VirtualSource("half.hdf5", "Rows", (20, 3))[:10]
    file.create_virtual_dataset("PartType1/Coordinates", layout)
with h5py.File("half.hdf5", "w") as part:
    part["Rows"] = places[:20]
os.makedirs("else", exist_ok=True)
os.symlink("../sub/whole.hdf5", "else/link.hdf5")


def row(path, **rows):  # a row of sources by number, of so many rows each; -1: there, but never written
    for k, has in enumerate((rows["a"], rows["b"], rows["c"])):
        if has:
            with h5py.File("%s%d.hdf5" % (path, k), "w") as part:
                made = part.create_dataset("Rows", (abs(has), 3) if has > 0 else (10, 3), "f8", chunks=(5, 3))
                if has > 0:
                    made[...] = places[10 * k:10 * k + has]
    with plain(path + ".hdf5") as file:
        del file["PartType1/Coordinates"]
        space, source = h5py.h5s.create_simple((N, 3), (h5py.h5s.UNLIMITED, 3)), h5py.h5s.create_simple((10, 3))
        space.select_hyperslab((0, 0), (h5py.h5s.UNLIMITED, 1), (10, 1), (10, 3))
        how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        how.set_virtual(space, ("%s%%b.hdf5" % path).encode(), b"Rows", source)
        h5py.h5d.create(file["PartType1"].id, b"Coordinates", h5py.h5t.IEEE_F64LE, space, how)


row("row", a=10, b=10, c=10)
row("rowgap", a=10, b=0, c=10)
row("rowshort", a=10, b=5, c=10)
row("rowcut", a=10, b=-1, c=10)
