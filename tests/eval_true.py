# SPDX-License-Identifier: MIT
"""The error that `orrery eval` prints against sums of another program over the file's own doubles: never less than half of it.

usage: eval_true.py ORRERY FOLDER COUNT
"""
import concurrent.futures
import json
import os
import subprocess
import sys

import numpy as np

orrery, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])


def sphere(rng, n):
    x = rng.normal(size=(n, 3))
    return x / np.linalg.norm(x, axis=1)[:, None] * rng.uniform(size=(n, 1)) ** (1 / 3), np.full(n, 1 / n)


def plummer(rng, n):
    x, m = sphere(rng, n)
    r = (rng.uniform(0.01, 0.999, size=(n, 1)) ** (-2 / 3) - 1) ** -0.5
    return x / np.linalg.norm(x, axis=1)[:, None] * r, m


def escapers(rng, x, m):
    few = rng.integers(1, 4)
    x[:few] *= 10 ** rng.uniform(4, 8, size=(few, 1))
    return x, m


def binaries(rng, x, m):
    x[1::4] = x[0::4][: len(x[1::4])] + rng.normal(size=(len(x[1::4]), 3)) * 10 ** rng.uniform(-9, -4)
    return x, m


def haloes(rng, x, m):
    x *= 100
    x[len(m) // 2 :, rng.integers(3)] += 1e6
    return x + rng.normal(size=3) * 1e4, m * 100


def lattice(rng, x, m):
    side = int(np.ceil(len(m) ** (1 / 3)))
    x = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)[: len(m)]
    return x * rng.uniform(0.1, 3) + rng.uniform(-100, 100), np.ones(len(m))


# What is made of a Plummer sphere.
shapes = {
    "plummer": lambda rng, x, m: (x, m),
    "sphere": lambda rng, x, m: sphere(rng, len(m)),
    "escapers": escapers,
    "binaries": binaries,
    "haloes": haloes,
    "lattice": lattice,
    "si": lambda rng, x, m: (x * 1.5e11 * 10 ** rng.uniform(0, 1), m * 2e30),
    "decades": lambda rng, x, m: (x, m * 10 ** rng.uniform(-6, 6, size=len(m))),
    "far": lambda rng, x, m: (x + rng.normal(size=3) * 1e8, m),
    "thread": lambda rng, x, m: (sphere(rng, len(m))[0] * [10 ** rng.uniform(2, 5), 1, 1e-3], m),
}
host, pairs = ["--device", "host"], ["--set", "positions=pairs"]
variants = [
    ["fujiwara/cpu-simd", *host],
    ["fujiwara/cpu-simd", *host, *pairs],
    ["gaburov/cpu-tree-simd", *host],
    ["gaburov/cpu-tree-simd", *host, *pairs],
    ["fujiwara/cpu-only", *host],
    ["gaburov/direct-fp64"],
    ["fujiwara/optimised", *pairs],
    ["gaburov/octgrav", *pairs],
]


def sums(x, m):
    """Accelerations, and S, the sums of the lengths of their terms."""
    d = x[None] - x[:, None]
    r2 = (d**2).sum(axis=2)
    np.fill_diagonal(r2, 1)
    terms = m[None] * r2**-1.5
    np.fill_diagonal(terms, 0)
    return (terms[..., None] * d).sum(axis=1), (terms * np.sqrt(r2)).sum(axis=1)


def errors(a, x, m):
    """As docs/METHOD.md defines them."""
    expected, lengths = sums(x, m)
    size = np.maximum(np.linalg.norm(expected, axis=1), 1e-3 * lengths)
    return np.linalg.norm(a - expected, axis=1) / size


def judge(k):
    """None, "refused" or what is wrong."""
    rng = np.random.default_rng(k)
    shape = list(shapes)[k % len(shapes)]
    x, m = shapes[shape](rng, *plummer(rng, int(rng.integers(20, 150))))
    name, variant = os.path.join(folder, f"{k}"), variants[(k + k // 40) % len(variants)]
    np.savetxt(name + ".csv", np.c_[x, m], fmt="%.17g", delimiter=",", header="x,y,z,mass", comments="")
    told = subprocess.run([orrery, "eval", *variant, "-i", name + ".csv", "-o", name + "a.csv", "--json"],
                          capture_output=True, text=True)
    where = f"{shape} {k}, {len(m)} bodies, {' '.join(variant)}"
    if told.returncode in (2, 3) and "single precision" in told.stderr:
        return "refused"
    if told.returncode:
        return f"{where}: exit status {told.returncode}: {told.stderr.strip()}"
    printed = json.loads(told.stdout)["error"]
    a = np.loadtxt(name + "a.csv", delimiter=",", skiprows=1)[:, :3]
    true = errors(a, x, m)
    for which, value in ("median", np.median(true)), ("max", true.max()):
        if not value <= 2 * printed[which]:
            return f"{where}: {which} error {printed[which]:.2g} printed, {value:.2g} true"
    return None


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    found = list(pool.map(judge, range(count)))
wrong = [what for what in found if what not in (None, "refused")]
print("\n".join(wrong[:10]))
print(f"{count} evaluations: {found.count('refused')} refused, {len(wrong)} wrong")
sys.exit(bool(wrong))
