# Small snapshots for the cases that need one; make.py of a case takes all of it. N bodies, the same each time.
import os
import h5py
import numpy

N = 30
random = numpy.random.default_rng(7)
places, motions = random.random((N, 3)), random.random((N, 3)) - 0.5


def header(file, counts, **more):
    attributes = file.require_group("Header").attrs
    attributes["NumPart_ThisFile"] = numpy.array(counts, "u4")
    attributes["NumPart_Total"] = numpy.array(more.pop("total", counts), "u4")
    attributes["MassTable"] = numpy.array(more.pop("table", [0] * len(counts)), "f8")
    attributes["NumFilesPerSnapshot"] = more.pop("files", 1)
    for name, value in more.items():
        attributes[name] = value


def bodies(file, kind=1, leave=(), ids=None, **how):
    group = file.require_group("PartType%d" % kind)
    for name, values in (("Coordinates", places), ("Velocities", motions), ("Masses", numpy.full(N, 0.01)),
                         ("ParticleIDs", numpy.arange(1, N + 1) if ids is None else ids)):
        if name not in leave:
            group.create_dataset(name, data=values, **how)
    return group


def plain(path, kind=1, types=6, **more):
    file = h5py.File(path, "w")
    header(file, [N if k == kind else 0 for k in range(types)], **more)
    bodies(file, kind)
    return file
