from snapshot import *

big = 2**40 + numpy.arange(N, 0, -1)
with plain("src.hdf5", Time=0.5, Redshift=1.0, BoxSize=100.0, Omega0=0.3, OmegaLambda=0.7, HubbleParam=0.7) as file:
    file["PartType1/ParticleIDs"].attrs["of"] = "the run"
    del file["PartType1/ParticleIDs"]
    file["PartType1/ParticleIDs"] = big.astype("u8")
    file["PartType1/Coordinates"].attrs["to_cgs"] = 3.085678e21
    for name, value in (("Length_in_cm", 3.085678e21), ("Mass_in_g", 1.989e43), ("Velocity_in_cm_per_s", 1e5)):
        file.require_group("Units").attrs["Unit" + name] = value
    file.require_group("Parameters/Deeper").attrs["Note"] = "as it was"
    file.create_dataset("PartType1/Potential", data=numpy.arange(30) / 7, chunks=(8,), compression="gzip").attrs["of"] = "the run"
    file["PartType1/Away"] = h5py.ExternalLink("away.hdf5", "/x")
    file.require_group("Cells")["Offsets"] = numpy.arange(3)
with open("check.py", "w") as script:
    script.write("""
import h5py, numpy
a, b = h5py.File("src.hdf5"), h5py.File("dst.hdf5")
for name in ("Time", "Redshift", "BoxSize", "Omega0", "OmegaLambda", "HubbleParam"):
    assert a["Header"].attrs[name] == b["Header"].attrs[name], name
for name, value in a["Units"].attrs.items():
    assert b["Units"].attrs[name] == value, name
assert b["Parameters/Deeper"].attrs["Note"] == "as it was"
assert b["PartType1/Coordinates"].attrs["to_cgs"] == 3.085678e21
assert "Cells" not in b  # where rows are in another file says nothing of this one
assert b["PartType1/Potential"].attrs["of"] == "the run"
for name in set(a["PartType1"]) - {"Away"}:
    assert numpy.array_equal(a["PartType1"][name][...], b["PartType1"][name][...]), name
""")
