import struct

# Gas, dark and star particles; what is wide is in doubles.
values = [(1.0, (0.0, 0.0, 0.0), (0.1, 0.0, 0.0)), (1.0, (1.0 + 2**-40, 0.0, 0.0), (0.0, 0.2, 0.0)),
          (1.0, (0.0, 2.0, 0.5), (0.0, 0.0, 0.3))]
rest = (5, 2, 4)  # numbers behind the velocity
for order, name in ((">", "standard"), ("<", "native")):
    for wide in range(4):
        other, place, motion = ("d" if wide == 3 else "f"), "fddd"[wide], "ffdd"[wide]
        with open("%s%d.tipsy" % (name, wide), "wb") as file:
            file.write(struct.pack(order + "d5iI", 0.25, 3, 3, 1, 1, 1, 0))
            for kind, (mass, x, v) in enumerate(values):
                file.write(struct.pack(order + other, mass) + struct.pack(order + "3" + place, *x) +
                           struct.pack(order + "3" + motion, *v) + struct.pack(order + str(rest[kind]) + other, *[0.05] * rest[kind]))
