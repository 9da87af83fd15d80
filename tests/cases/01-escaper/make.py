import numpy

rng = numpy.random.default_rng(11)
x = rng.normal(size=(60, 3))
x[7] = [3e6, -1e6, 2e5]
numpy.savetxt("bodies.csv", numpy.c_[x, rng.uniform(1, 2, 60)], fmt="%.17g", delimiter=",", header="x,y,z,mass", comments="")
d = x[None] - x[:, None]
m = numpy.loadtxt("bodies.csv", delimiter=",", skiprows=1)[:, 3]
r = numpy.sqrt((d**2).sum(axis=2)) + numpy.eye(60)
numpy.savetxt("right.csv", (m[None, :, None] * d / r[..., None] ** 3).sum(axis=1), delimiter=",")
