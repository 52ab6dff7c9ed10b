"""Checks `crashscan run` on a service that has nothing of ours in it, samples/Service's kiosk.

check.py BUILD PROGRAMS [debug|release|static] [SECONDS]   where PROGRAMS holds crashscan
"""
import datetime
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD, PROGRAMS = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
KIND = sys.argv[3] if len(sys.argv) > 3 else "debug"
SECONDS = float(sys.argv[4]) if len(sys.argv) > 4 else 10
# What has not come by then does not come.
PATIENCE = 120
FAILED = []


def check(what, holds, seen=""):
    print(("  holds: " if holds else "  FAILS: ") + what, flush=True)
    if not holds:
        FAILED.append(what)
        print("    seen: " + str(seen).replace("\n", "\n    "), flush=True)


class Kiosk:
    """A run of the kiosk under `crashscan run`, to which `visits` come."""

    def __init__(self, program, folder, visits):
        self.log = pathlib.Path(folder) / "blocking.log"
        self.process = subprocess.Popen(
            [PROGRAMS / "crashscan", "run", "--log", self.log, "--", program],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})  # fmt: skip
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.port = 0
        for line in self.process.stdout:
            if found := re.match(rb"open at port (\d+)", line):
                self.port = int(found[1])
                break
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        # How long it waits for its own threads and for the name of its host as it starts is the machine's affair.
        self.get("/health")
        serves_since = datetime.datetime.now(datetime.timezone.utc)
        visits(self)
        self.process.send_signal(signal.SIGTERM)
        self.status = self.process.wait(PATIENCE)
        told = subprocess.run(
            [PROGRAMS / "crashscan", "report", "--format", "json", self.log],
            capture_output=True, text=True, cwd=ROOT)  # fmt: skip
        self.findings = [one for one in json.loads(told.stdout)["findings"] if time_of(one) >= serves_since]

    def get(self, *paths):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        for path in paths:
            connection.request("GET", path)
            connection.getresponse().read()
        connection.close()


def time_of(finding):
    return datetime.datetime.fromisoformat(finding["time"].rstrip("Z")[:26] + "+00:00")


def processors_are_short():
    """Whether threads of this machine had to wait for a processor in a quarter of the last ten seconds."""
    pressure = pathlib.Path("/proc/pressure/cpu")
    found = re.search(r"some avg10=([\d.]+)", pressure.read_text()) if pressure.exists() else None
    return found is not None and float(found[1]) >= 25


def is_fault_of_the_machine(finding):
    """Where processors are short, whom a thread waits for is kept from them: for a lock, or until new threads begin."""
    waits = ("lock", "cond", "sem", "futex", "join")
    return any(word in (finding.get("api") or "") for word in waits) and processors_are_short()


def place_of(finding):
    """Function, file and call. Where a stack begins in a closure, the function around it stands in the name."""
    culprit = finding.get("culprit") or {}
    function = (culprit.get("function") or "").split(" in ")[-1].split("(")[0].split(".")[-1]
    return function, pathlib.Path(culprit.get("file") or "").name, finding["api"]


def busy(kiosk):
    """Four visitors who ask for what does not block."""
    end = time.monotonic() + SECONDS

    def visit():
        while time.monotonic() < end:
            kiosk.get(*["/health"] * 20, "/price")

    visitors = [threading.Thread(target=visit) for _ in range(4)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()


def main():
    built = subprocess.run([ROOT / "Tests/Integrations/service", BUILD, KIND], capture_output=True, text=True)
    if built.returncode == 3:
        print("run: left out: " + built.stderr.strip().splitlines()[-1])
        return
    if built.returncode != 0:
        sys.exit(built.stderr)
    kiosk = pathlib.Path(built.stdout.strip()).parent / "kiosk"
    subprocess.run([ROOT / "scripts/preload", PROGRAMS / "libmainstay-blocking.so"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        calm = Kiosk(kiosk, folder, busy)
        check("a busy service ends as it does by itself", calm.status == 0, calm.status)
        blocking = [finding for finding in calm.findings if not is_fault_of_the_machine(finding)]
        check("nothing in it blocks", blocking == [], json.dumps(blocking, indent=1))
    with tempfile.TemporaryDirectory() as folder:
        slow = Kiosk(kiosk, folder, lambda kiosk: kiosk.get("/newspaper", "/ticket"))
        wanted = {("print", "Kiosk.swift", "sem_wait"), ("ticket", "Kiosk.swift", "nanosleep")}
        found = {place_of(finding): finding for finding in slow.findings}
        others = [found[place] for place in found.keys() - wanted if not is_fault_of_the_machine(found[place])]
        check("the blocked handler and the blocked loop are named", wanted <= found.keys() and others == [],
              json.dumps(slow.findings, indent=1))  # fmt: skip
        titles = " ".join(finding["title"] for finding in slow.findings)
        check("and whose threads they had", "a thread of Swift's pool" in titles and "event loop" in titles, titles)
    if FAILED:
        sys.exit(1)


main()
