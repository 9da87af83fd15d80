from snapshot import *

for part in (0, 1):
    with h5py.File("s.%d.hdf5" % part, "w") as file:
        header(file, [N, N, 0, 0, 0, 0], total=[2 * N, 2 * N, 0, 0, 0, 0], files=2)
        for kind in (0, 1):
            group = bodies(file, kind, ids=numpy.arange(N) + 1000 * part + 100 * kind)
            group["Coordinates"][...] += 2 * part + kind
plain("one.hdf5").close()
with plain("below.hdf5") as file:  # ids may be below 0
    file["PartType1/ParticleIDs"][...] = numpy.arange(N) - 5
