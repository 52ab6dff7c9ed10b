"""Logs of many hosts, by real runs of a service: `make_logs.py SERVICE FOLDER COUNT`.

Every host has a folder; its logs are of five days. Among them are some that a fleet has too: damaged, cut off, empty,
none at all, copied to another host, and a copy of one that was taken before its run had ended.
"""

import concurrent.futures
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RELEASES = ["1.0", "1.1", "1.2"]
LOGS_OF_A_HOST = 25
LOGS_OF_A_DAY = 5
# One in so many is large; the others have the size that a service has by default, or a quarter of it.
LARGE = 400


def kibibytes(number):
    if number % LARGE == LARGE - 1:
        return 16384
    return 1024 if number % 4 == 3 else 256


def clock(folder):
    """What has a program run some days ago, built with the compiler that Swift needs anyway."""
    library = pathlib.Path(folder) / "days_ago.so"
    command = ["gcc", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror", "-o", library, HERE / "days_ago.c"]
    subprocess.run(command, check=True)
    return library


def run(service, log, release, number, size, **variables):
    subprocess.run(
        [service, log, release, str(number), str(size)],
        env=os.environ | {"SWIFT_BACKTRACE": "enable=no", "MAINSTAY_POLICY": "record"} | variables,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
    )  # fmt: skip


def make(service, folder, number, earlier):
    host = folder / f"host-{number // LOGS_OF_A_HOST:04}"
    host.mkdir(parents=True, exist_ok=True)
    # By turns of hosts, so that each release runs on many.
    release = RELEASES[(number // LOGS_OF_A_HOST + number // 12) % len(RELEASES)]
    log = host / f"service-{number:06}.log"
    ago = (LOGS_OF_A_HOST - 1 - number % LOGS_OF_A_HOST) // LOGS_OF_A_DAY
    run(service, log, release, number, kibibytes(number), LD_PRELOAD=str(earlier), DAYS_AGO=str(ago))
    return log


def damage(folder, logs):
    """What becomes of logs on their way; what is done is the same each time."""
    chance = random.Random(25)
    for log in logs[5::97]:
        content = bytearray(log.read_bytes())
        for _ in range(20):
            content[chance.randrange(8192, len(content))] ^= 0x55
        log.write_bytes(content)
    for log in logs[11::97]:
        # The same run as far as it had come when it was copied; both lie there.
        early = log.with_name(log.stem + "-early.log")
        early.write_bytes(log.read_bytes()[: 64 << 10])
    shutil.copy(logs[0], folder / "host-0001" / "copy.log")
    (folder / "host-0000" / "empty.log").write_bytes(b"")
    (folder / "host-0000" / "notes.log").write_text("Nothing happened here.\n")
    (folder / "host-0000" / "noise.log").write_bytes(chance.randbytes(300_000))


def loop(service, folder):
    """On two hosts a run crashes each time it is started."""
    for host in ("host-0000", "host-0001"):
        for turn in range(4):
            run(service, folder / host / f"loop-{turn}.log", "1.0", 2, 256)


def main(service, folder, count):
    folder = pathlib.Path(folder)
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        earlier = clock(scratch)
        logs = list(pool.map(lambda number: make(service, folder, number, earlier), range(int(count))))
    loop(service, folder)
    damage(folder, logs)


if __name__ == "__main__":
    main(*sys.argv[1:])
