import struct

import numpy

# Tipsy: 5 dark bodies with a softening of 0.2, 4 stars with 0.03.
rng = numpy.random.default_rng(3)
with open("mixed.tipsy", "wb") as file:
    file.write(struct.pack(">diiiiii", 0.5, 9, 3, 0, 5, 4, 0))
    for _ in range(5):
        file.write(struct.pack(">9f", 1, *rng.normal(size=6), 0.2, 0))
    for _ in range(4):
        file.write(struct.pack(">11f", 1, *rng.normal(size=6), 0, 0, 0.03, 0))
