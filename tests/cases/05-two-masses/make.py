from snapshot import *

for name, mass in (("zeros", 0), ("twice", 0.02), ("same", 0.01)):
    with plain(name + ".hdf5", table=[0, 0.01, 0, 0, 0, 0]) as file:
        file["PartType1/Masses"][...] = mass
with plain("table.hdf5", table=[0, 0.01, 0, 0, 0, 0]) as file:
    del file["PartType1/Masses"]
