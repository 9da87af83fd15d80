import struct
from snapshot import *

# Tipsy: 5 dark bodies with a softening of 0.2, 4 stars with 0.03.
rng = numpy.random.default_rng(3)
with open("mixed.tipsy", "wb") as file:
    file.write(struct.pack(">diiiiii", 0.5, 9, 3, 0, 5, 4, 0))
    for _ in range(5):
        file.write(struct.pack(">9f", 1, *rng.normal(size=6), 0.2, 0))
    for _ in range(4):
        file.write(struct.pack(">11f", 1, *rng.normal(size=6), 0, 0, 0.03, 0))


def parameters(file, group, **values):
    for name, value in values.items():
        file.require_group(group).attrs[name] = value


with plain("gadget4.hdf5") as file:  # the class of a type, not its number
    parameters(file, "Parameters", SofteningComovingClass0=0.1, SofteningComovingClass1=0.2, SofteningComovingClass2=0.3,
               SofteningClassOfPartType0=0, SofteningClassOfPartType1=2, SofteningMaxPhysClass2=0.1)
with plain("arepo.hdf5", Time=0.5, Redshift=1.0) as file:  # comoving, and physical no longer than that
    parameters(file, "Parameters", ComovingIntegrationOn=1, SofteningComovingType0=0.1, SofteningComovingType1=0.3,
               SofteningTypeOfPartType0=0, SofteningTypeOfPartType1=1, SofteningMaxPhysType0=1.0, SofteningMaxPhysType1=0.1)
    file["Header"].attrs["NumPart_ThisFile"] = numpy.array([N, N, 0, 0, 0, 0], "u4")
    bodies(file, 0)["Coordinates"][...] += 1
plain("gizmo.hdf5", Fixed_ForceSoftening_Keplerian_Kernel_Extent=[1.4, 2.8, 0, 0, 0, 0]).close()
with plain("swift.hdf5") as file:
    file.require_group("Parameters").attrs["Gravity:comoving_DM_softening"] = numpy.bytes_("0.0027")
with plain("each.hdf5") as file:
    file["PartType1/Softenings"] = numpy.linspace(0.25, 0.5, N)
with plain("eagle.hdf5") as file:
    parameters(file, "RuntimePars", SofteningHalo=0.4, SofteningGas=0.2, SofteningHaloMaxPhys=0.1)
