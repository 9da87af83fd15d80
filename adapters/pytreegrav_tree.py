# SPDX-License-Identifier: MIT
"""pytreegrav (Grudic & Gurvich 2021) as a program for Orrery, docs/PROGRAMS.md: pip install pytreegrav

Its softening is a spline's, not Plummer's: it is measured without softening, which eps = 0 tells the referee."""
import importlib.util
import json
import mmap
import os
import sys
import time

ABOUT = {"summary": "pytreegrav's octree, compiled by numba, all threads", "tree": True,
         "parameters": {"eps": {"default": 0.0, "min": 0, "max": 0}, "theta": {"default": 0.5, "min": 0, "max": 2},
                        "multipole": ["quadrupole", "monopole"]}}


def column(work, name, writable=False):
    file = os.open(work["columns"][name], os.O_RDWR if writable else os.O_RDONLY)
    access = mmap.ACCESS_WRITE if writable else mmap.ACCESS_READ
    return memoryview(mmap.mmap(file, 8 * work["n"], access=access)).cast("d")


def prepare(work):
    import numba
    import numpy
    import pytreegrav
    columns = {name: numpy.asarray(column(work, name, name[0] == "a")) for name in ("x", "y", "z", "m", "ax", "ay", "az")}
    how = {"G": work["G"], "theta": work["parameters"]["theta"], "parallel": True, "method": "tree",
           "quadrupole": work["parameters"]["multipole"] == "quadrupole"}
    numba.set_num_threads(min(work["threads"], numba.config.NUMBA_NUM_THREADS))
    compiled = numpy.random.default_rng(1)  # the first call of its functions compiles them
    pytreegrav.Accel(compiled.random((64, 3)), compiled.random(64), **how)

    def step():
        bodies = numpy.stack([columns[name] for name in "xyz"], axis=1)
        result = pytreegrav.Accel(bodies, numpy.array(columns["m"]), **how)
        for d, name in enumerate(("ax", "ay", "az")):
            columns[name][:] = result[:, d]
    return step, f"pytreegrav {pytreegrav.__version__ if hasattr(pytreegrav, '__version__') else ''}, {work['threads']} threads"


for line in sys.stdin:
    if line == "step\n":
        start = time.perf_counter()
        step()
        print("stepped", time.perf_counter() - start, flush=True)
    elif line == "quit\n":
        break
    elif not importlib.util.find_spec("pytreegrav"):
        print("unsupported pytreegrav is not installed: pip install pytreegrav", flush=True)
    elif json.loads(line)["ask"] == "describe":
        print(json.dumps(ABOUT), flush=True)
    else:
        step, note = prepare(json.loads(line))
        print("ready", note, flush=True)
