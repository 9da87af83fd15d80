# SPDX-License-Identifier: MIT
"""REBOUND's tree code (Rein & Liu 2012) as a program for Orrery, docs/PROGRAMS.md: pip install rebound"""
import ctypes
import importlib.util
import json
import mmap
import os
import sys
import time

ABOUT = {"summary": "REBOUND's tree of monopoles, one thread", "tree": True,
         "parameters": {"eps": None, "theta": {"default": 0.5, "min": 0, "max": 2}}}


def column(work, name, writable=False):
    file = os.open(work["columns"][name], os.O_RDWR if writable else os.O_RDONLY)
    access = mmap.ACCESS_WRITE if writable else mmap.ACCESS_READ
    return memoryview(mmap.mmap(file, 8 * work["n"], access=access)).cast("d")


def prepare(work):
    """Particles in the order of the bodies; `fields` maps x, y, ... to where they lie in REBOUND's own memory."""
    import numpy
    import rebound
    sim = rebound.Simulation()
    sim.gravity, sim.G = "tree", work["G"]
    sim.softening, sim.opening_angle2 = work["parameters"]["eps"], work["parameters"]["theta"] ** 2
    sim.root_size = 1.0
    for _ in range(work["n"]):
        sim.add(m=0.0)
    kind = rebound.Particle
    names = ["x", "y", "z", "m", "ax", "ay", "az"]
    layout = numpy.dtype({"names": names, "formats": ["f8"] * 7, "itemsize": ctypes.sizeof(kind),
                          "offsets": [getattr(kind, name).offset for name in names]})
    memory = (ctypes.c_char * (work["n"] * ctypes.sizeof(kind))).from_address(
        ctypes.addressof(sim._particles.contents))
    fields = numpy.frombuffer(memory, dtype=layout)
    columns = {name: numpy.asarray(column(work, name, name[0] == "a")) for name in names}

    def step():
        for name in "xyzm":
            fields[name] = columns[name]
        sim.root_size = 2.02 * max(numpy.abs(columns[name]).max() for name in "xyz")
        rebound.clibrebound.reb_simulation_update_acceleration(ctypes.byref(sim))
        for name in ("ax", "ay", "az"):
            columns[name][:] = fields[name]
    return step, f"REBOUND {rebound.__version__}"


for line in sys.stdin:
    if line == "step\n":
        start = time.perf_counter()
        step()
        print("stepped", time.perf_counter() - start, flush=True)
    elif line == "quit\n":
        break
    elif not importlib.util.find_spec("rebound") or not importlib.util.find_spec("numpy"):
        print("unsupported REBOUND is not installed: pip install rebound numpy", flush=True)
    elif json.loads(line)["ask"] == "describe":
        print(json.dumps(ABOUT), flush=True)
    else:
        step, note = prepare(json.loads(line))
        print("ready", note, flush=True)
