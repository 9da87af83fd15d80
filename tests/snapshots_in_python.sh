#!/bin/bash
# SPDX-License-Identifier: MIT
# pynbody and yt read Orrery's snapshots, with their units and without a warning, and what swiftsimio writes comes back to
# it whole. Every night, those that are installed (pip install pynbody yt swiftsimio).
. "$(dirname "$0")/lib_e2e.sh"
"$orrery" dataset make plummer --n 300 -o "$work/p.hdf5" 2>/dev/null && "$orrery" dataset convert "$work/p.hdf5" "$work/q.hdf5" 2>/dev/null # which carries header and units along
read_by() { (cd "$work" && "$python" -W error::RuntimeWarning -W error::UserWarning -); }
by_pynbody() {
    read_by <<'END'
import pynbody
for name in "p.hdf5", "q.hdf5":
    s = pynbody.load(name)
    assert len(s.dm) == 300, len(s.dm)
    assert abs(float(s["mass"].sum().in_units("1e10 Msol")) - 1) < 1e-4
    u = float(s["vel"].units.in_units("km s**-1"))
    assert abs(u - 207.387) < 0.01, u  # so that G = 1 with kpc and 1e10 solar masses
END
}
by_yt() {
    read_by <<'END'
import yt
yt.set_log_level(40)
import h5py
for name in "p.hdf5", "q.hdf5":
    units = {name: float(value) for name, value in h5py.File(name)["Units"].attrs.items()}
    s = yt.load(name, unit_base=units)
    d = s.all_data()
    assert len(d["all", "particle_mass"]) == 300
    assert abs(float(d["all", "particle_mass"].sum().to("Msun")) / 1e10 - 1) < 1e-4
    assert abs(float(s.velocity_unit.to("km/s")) - 207.387) < 0.01, s.velocity_unit
END
}
by_swiftsimio() {
    read_by <<'END' && "$orrery" dataset convert "$work/swift.hdf5" "$work/back.hdf5" && read_by <<'AGAIN'
import numpy, swiftsimio, unyt
from swiftsimio.metadata.writer.unit_systems import cosmo_units
comoving = lambda values, unit, power: swiftsimio.cosmo_array(values, unit, comoving=True, scale_factor=0.5, scale_exponent=power)
w = swiftsimio.Writer(unit_system=cosmo_units, boxsize=comoving([10.0, 10.0, 10.0], unyt.Mpc, 1), scale_factor=0.5)
random = numpy.random.default_rng(1)
w.dark_matter.coordinates = comoving(10 * random.random((50, 3)), unyt.Mpc, 1)
w.dark_matter.velocities = comoving(random.random((50, 3)), unyt.km / unyt.s, 0)
w.dark_matter.masses = comoving(numpy.full(50, 2e9), unyt.Msun, 0)
w.dark_matter.particle_ids = numpy.arange(50) + 2**33
w.write("swift.hdf5")
END
import numpy, swiftsimio
one, two = (swiftsimio.load(name) for name in ("swift.hdf5", "back.hdf5"))
assert float(one.metadata.scale_factor) == float(two.metadata.scale_factor) == 0.5
assert numpy.array_equal(one.metadata.boxsize.value, two.metadata.boxsize.value)
for name in "coordinates", "velocities", "masses", "particle_ids":
    a, b = getattr(one.dark_matter, name), getattr(two.dark_matter, name)
    assert a.units == b.units and numpy.array_equal(a.value, b.value), name
AGAIN
}
for program in pynbody yt swiftsimio; do
    if python=$(python_with $program); then check $program by_$program; else echo "skipped: $program is not installed"; fi
done
