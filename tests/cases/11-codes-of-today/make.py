from snapshot import *

kpc, sun, km = 3.085678e21, 1.989e43, 1e5
mpc = 1000 * kpc


def attributes(file, group, **values):
    for name, value in values.items():
        file.require_group(group).attrs[name] = value


# Gadget-4 with NTYPES=2: everything but Time and BoxSize in /Parameters.
with plain("gadget4.hdf5", types=2, Time=0.25, Redshift=3.0, BoxSize=50.0) as file:
    attributes(file, "Parameters", UnitLength_in_cm=mpc, UnitMass_in_g=sun, UnitVelocity_in_cm_per_s=km, Omega0=0.3,
               ComovingIntegrationOn=1, HubbleParam=0.7, GravityConstantInternal=0.0)
with plain("arepo.hdf5", Time=1.0, Redshift=0.0, BoxSize=0.0) as file:  # not cosmological
    attributes(file, "Parameters", UnitLength_in_cm=kpc, UnitMass_in_g=sun, UnitVelocity_in_cm_per_s=km,
               ComovingIntegrationOn=0, Omega0=0.3)
plain("tng.hdf5", Time=0.5, Redshift=1.0, BoxSize=75000.0, Omega0=0.3089, UnitLength_in_cm=kpc, UnitMass_in_g=sun,
      UnitVelocity_in_cm_per_s=km).close()
plain("gizmo.hdf5", Time=0.2, Redshift=4.0, BoxSize=60000.0, Omega_Matter=0.272, ComovingIntegrationOn=1,
      UnitLength_In_CGS=kpc, UnitMass_In_CGS=sun, UnitVelocity_In_CGS=km, kind=4).close()
with plain("swift.hdf5", kind=6, types=8, Time=[0.013], Redshift=[1.0], BoxSize=[25.0, 25.0, 25.0], Dimension=[3]) as file:
    units = file.require_group("Units").attrs
    units["Unit length in cgs (U_L)"], units["Unit mass in cgs (U_M)"] = [mpc], [sun]
    units["Unit time in cgs (U_t)"] = [mpc / km]
    cosmology = file.require_group("Cosmology").attrs
    cosmology["Cosmological run"], cosmology["Scale-factor"], cosmology["Omega_m"] = [1], [0.5], [0.3]
with plain("pkdgrav3.hdf5", Time=0.5, Redshift=1.0) as file:
    attributes(file, "Units", KpcUnit=1.0, MsolUnit=1e10, KmPerSecUnit=1.0)
    file.require_group("Cosmology").attrs["Cosmological run"] = 0
plain("none.hdf5").close()
with plain("holes.hdf5", kind=5, types=7) as file:
    file["PartType5/DynamicalMasses"] = file["PartType5/Masses"][...]
    file["PartType5/SubgridMasses"] = 1000 * file["PartType5/Masses"][...]
    del file["PartType5/Masses"]
with plain("open.hdf5", BoxSize=[10.0, 20.0, 40.0]) as file:  # SWIFT's parameters are texts
    file.require_group("Parameters").attrs["InitialConditions:periodic"] = numpy.bytes_("0")
plain("slab.hdf5", BoxSize=[10.0, 20.0, 40.0]).close()
with plain("eagle.hdf5") as file:
    for name, theirs in (("Masses", "Mass"), ("Velocities", "Velocity")):
        file.move("PartType1/" + name, "PartType1/" + theirs)
