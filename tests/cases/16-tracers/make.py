from snapshot import *

with plain("tracers.hdf5", total=[0, N, 0, 0, 0, 0]) as file:
    file["Header"].attrs["NumPart_ThisFile"] = numpy.array([0, N, 0, 50, 0, 0], "u4")
    file["PartType3/ParentID"] = numpy.arange(50)
    file["PartType3/TracerID"] = numpy.arange(50)
with plain("plain.hdf5"):
    pass
with plain("lost.hdf5") as file:  # bodies whose places are not there
    file["Header"].attrs["NumPart_ThisFile"] = numpy.array([0, N, 0, 0, N, 0], "u4")
    bodies(file, 4, leave=["Coordinates"])
