import struct

for order in "<>":
    header = struct.pack(order + "6I", 0, 2, 0, 0, 0, 0) + struct.pack(order + "6d", 0, 1, 0, 0, 0, 0)
    header += bytes(256 - len(header))
    block = lambda data: struct.pack(order + "I", len(data)) + data + struct.pack(order + "I", len(data))
    body = block(struct.pack(order + "6f", 0, 0, 0, 1, 0, 0)) + block(bytes(24)) + block(struct.pack(order + "2I", 1, 2))
    end = "little" if order == "<" else "big"
    open("one.%s" % end, "wb").write(block(header) + body)
    open("two.%s" % end, "wb").write(block(b"HEAD" + struct.pack(order + "I", 264)) + block(header) + body)
