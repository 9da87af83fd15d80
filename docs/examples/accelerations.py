#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Accelerations and potentials of your own arrays, by any variant of Orrery, through a pipe.

accelerations(pos, mass) takes rows of three numbers and masses: lists, or numpy arrays.
It returns rows of ax, ay, az, phi (numpy.array(...) of it, if you like), which were verified against
double precision before they came here; a result that is wrong raises an exception with the reason.
"""
import subprocess
import sys


def accelerations(pos, mass, variant="fujiwara/cpu-simd", device="host", G=1.0, **parameters):
    command = ["orrery", "eval", variant, "--input", "-", "--output", "-", "--device", device, "--G", repr(float(G))]
    for name, value in parameters.items():  # eps=0.01, theta=0.5
        command += ["--set", f"{name}={value}"]
    rows = "".join(",".join(repr(float(v)) for v in (*p, m)) + "\n" for p, m in zip(pos, mass))
    done = subprocess.run(command, input="x,y,z,mass\n" + rows, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return [[float(v) for v in line.split(",")] for line in done.stdout.splitlines()[1:] if line[0] != "#"]


if __name__ == "__main__":
    positions, masses = [(0, 0, 0), (2, 0, 0), (0, 1, 0)], [2, 3, 1]
    answer = accelerations(positions, masses, *sys.argv[1:2], eps=0.01)
    for row in answer:
        print(*row)
    net = [sum(m * row[k] for m, row in zip(masses, answer)) for k in range(3)]
    print("net force:", 0 if max(map(abs, net)) < 1e-5 else net)
