"""Keeps a processor and the disk busy until its parent is gone: `python3 load.py FILE`."""

import hashlib
import os
import sys

parent = os.getppid()
block = os.urandom(1 << 20)
while os.getppid() == parent:
    for _ in range(200):
        hashlib.sha256(block).digest()
    with open(sys.argv[1], "wb") as file:
        for _ in range(32):
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    os.unlink(sys.argv[1])
