from snapshot import *

plain("f.hdf5").close()
with h5py.File("virtual.hdf5", "w") as file:
    header(file, [0, N, 0, 0, 0, 0])
    bodies(file, leave=["Coordinates"])
    layout = h5py.VirtualLayout((N, 3), "f8")
    layout[:] = h5py.VirtualSource("f.hdf5", "PartType1/Coordinates", (N, 3))
    file.create_virtual_dataset("PartType1/Coordinates", layout)
