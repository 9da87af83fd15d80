#!/bin/bash
# pynbody and yt read Orrery's snapshots, with their units and without a warning. Every night, those that are installed
# (pip install pynbody yt).
. "$(dirname "$0")/lib_e2e.sh"
"$orrery" dataset make plummer --n 300 -o "$work/p.hdf5" 2>/dev/null
read_by() { (cd "$work" && "$python" -W error::RuntimeWarning -W error::UserWarning -); }
by_pynbody() {
    read_by <<'END'
import pynbody
s = pynbody.load("p.hdf5")
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
units = {name: float(value) for name, value in h5py.File("p.hdf5")["Units"].attrs.items()}
s = yt.load("p.hdf5", unit_base=units)
d = s.all_data()
assert len(d["all", "particle_mass"]) == 300
assert abs(float(d["all", "particle_mass"].sum().to("Msun")) / 1e10 - 1) < 1e-4
assert abs(float(s.velocity_unit.to("km/s")) - 207.387) < 0.01, s.velocity_unit
END
}
for program in pynbody yt; do
    if python=$(python_with $program); then check $program by_$program; else echo "skipped: $program is not installed"; fi
done
finish
