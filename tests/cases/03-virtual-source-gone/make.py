import h5py
import numpy
import os
exec(open(os.environ["SOURCE"] + "/tests/cases/snapshot.py").read())


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
os.chdir("..")
plain("unwritten.hdf5")
with h5py.File("cut.hdf5", "w") as part:  # the source is there, its rows are not
    part.create_dataset("PartType1/Coordinates", (N, 3), "f8", chunks=(10, 3))[:10] = places[:10]
with h5py.File("unwritten.hdf5", "a") as file:
    del file["PartType1/Coordinates"]
    layout = h5py.VirtualLayout((N, 3), "f8")
    layout[:] = h5py.VirtualSource("cut.hdf5", "PartType1/Coordinates", (N, 3))
    file.create_virtual_dataset("PartType1/Coordinates", layout)
