"""Runs applications that are installed under `crashscan run --gtk`, each driven for a while, and lists what was found.

desktop.py PROGRAMS SCRATCH [--seconds N] [--jobs N] [APPLICATION]…   where PROGRAMS holds crashscan. None of the
applications is changed, or known to call GTK off its thread: what is found is to be proven by its source, or is wrong.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from screen import Compositor, Screen

ROOT = pathlib.Path(__file__).resolve().parents[3]
APPLICATIONS = [
    "mousepad", "galculator", "gedit", "evince", "file-roller", "d-feet", "meld", "zenity --calendar", "gucharmap",
    "gnome-calculator", "eog", "geany", "transmission-gtk", "pcmanfm", "l3afpad", "lxappearance", "qalculate-gtk",
    "dconf-editor", "baobab", "gnome-font-viewer", "gnome-text-editor", "xfce4-terminal", "gpicview", "viewnior",
    "lxterminal", "gnome-clocks", "gnome-mines", "gnome-sudoku", "gnome-characters", "catfish",
]  # fmt: skip
ON_WAYLAND = "gnome-calculator"
PATIENCE = 120
MOST_STARTS = 60
# What a person does: a menu, text, another window, a dialog, back.
KEYS = ["F10", "Down", "Down", "Escape", "type", "Tab", "Return", "ctrl+n", "type", "ctrl+f", "type", "Escape",
        "ctrl+o", "Escape", "alt+f", "Down", "Escape", "Tab", "space", "ctrl+comma", "Escape", "Up", "Left"]  # fmt: skip


def place_of_calls(library):
    """Where the library counts the calls of the owner's thread."""
    symbols = subprocess.run(["nm", library], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"^(\w+) \w ms_toolkit_owners$", symbols, re.M)[1], 16) + 24


def owner_calls(pid, library, place):
    """How many calls went by on the owner's thread so far, read out of the process."""
    try:
        maps = pathlib.Path(f"/proc/{pid}/maps").read_text()
        base = min(int(line.split("-")[0], 16) for line in maps.splitlines() if line.endswith(str(library)))
        with open(f"/proc/{pid}/mem", "rb") as memory:
            memory.seek(base + place)
            return int.from_bytes(memory.read(8), "little")
    except (OSError, ValueError):
        return None


def drive(xdotool, seconds, process, look, before=0):
    """For how long it was driven, and by how many keys after those `before`. The time counts from the first window on."""
    begin, end = None, time.monotonic() + PATIENCE
    step = before
    while time.monotonic() < end and process.poll() is None:
        windows = xdotool("search", "--onlyvisible", "--name", ".").split()
        if not windows:
            time.sleep(0.2)
            continue
        if begin is None:
            begin = time.monotonic()
            end = begin + seconds
        look()
        key = KEYS[step % len(KEYS)]
        step += 1
        xdotool("windowfocus", windows[-1])
        xdotool(*(["type", "a line"] if key == "type" else ["key", key]))
        if step % 7 == 0:
            xdotool("mousemove", str(40 + step * 37 % 600), str(20 + step * 53 % 400), "click", "1")
    return 0 if begin is None else time.monotonic() - begin, step - before


def run(application, programs, scratch, seconds):
    name = application.split()[0]
    home = scratch / name
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    (home / "note.txt").write_text("a note\n")
    total = None
    with Screen(home / "screen") as screen:
        # A key of ours, or the end of its work, may end it: it is started again for the rest of the time.
        while total is None or goes_on(total, seconds):
            rest = seconds - (total["driven"] if total else 0)
            keys = total["steps"] if total else 0
            row = watch(application, programs, home, screen.environment,
                        lambda process, look: drive(screen.xdotool, rest, process, look, keys))  # fmt: skip
            total = row if total is None else added(total, row)
    return total


def goes_on(total, seconds):
    """Whether it ended by itself, and not by a signal, before its time."""
    has_ended = total["ended"] is not None and total["ended"] >= 0
    return has_ended and 0 < total["driven"] < seconds and total["starts"] < MOST_STARTS


def added(total, row):
    """Two runs of an application as one."""
    sums = {key: total[key] + row[key] for key in ("starts", "driven", "steps", "calls")}
    return {**row, **sums, "found": [*total["found"], *(one for one in row["found"] if one not in total["found"])]}


def run_on_wayland(application, programs, scratch, seconds):
    """Without keys: a compositor that shows nothing has none."""
    home = scratch / f"wayland-{application}"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)

    def wait(process, look):
        begin = time.monotonic()
        while process.poll() is None and time.monotonic() < begin + seconds:
            look()
            time.sleep(0.2)
        return time.monotonic() - begin, 0

    with Compositor(home / "screen") as compositor:
        return watch(application, programs, home, compositor.environment, wait)


def watch(application, programs, home, environment, use):
    log = home / "toolkit.log"
    library = programs / "libmainstay-toolkit.so"
    place = place_of_calls(library)
    process = subprocess.Popen(
        [programs / "crashscan", "run", "--gtk", "--log", log, "--", *application.split()],
        env=environment, cwd=home, stdout=(home / "out.txt").open("w"), stderr=subprocess.STDOUT)  # fmt: skip
    calls = 0

    def look():
        nonlocal calls
        calls = owner_calls(process.pid, library, place) or calls

    driven, steps = use(process, look)
    look()
    ended = process.poll()
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    told = subprocess.run([programs / "crashscan", "report", "--format", "json", log], capture_output=True, text=True)
    found = [f for f in json.loads(told.stdout)["findings"] if f["rule"] == "toolkit-off-thread"] if told.stdout else []
    return {"application": application, "starts": 1, "driven": driven, "steps": steps, "calls": calls, "ended": ended,
            "found": [f["title"] for f in found]}  # fmt: skip


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("applications", nargs="*")
    asked = parser.parse_intermixed_args()
    programs, scratch = asked.programs.resolve(), asked.scratch.resolve()
    subprocess.run([ROOT / "scripts/preload", programs / "libmainstay-toolkit.so"], check=True)
    os.environ["PATH"] += ":/usr/games"
    wanted = asked.applications or APPLICATIONS
    missing = [one for one in wanted if not shutil.which(one.split()[0])]
    for one in missing:
        print(f"desktop: left out, not installed: {one}")
    failed = False

    def tell(row, where=""):
        ended = "" if row["ended"] in (None, 0) else f", ended with {row['ended']}"
        print(f"| {row['application']}{where} | {row['driven']:.0f} s | {row['starts']}{ended} | {row['steps']} | {row['calls']:,} | "
              f"{'; '.join(row['found']) or 'nothing'} |", flush=True)  # fmt: skip
        return bool(row["found"])

    print("| application | driven | starts | keys and clicks | calls checked | found |\n|---|---|---|---|---|---|")
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        there = [one for one in wanted if one not in missing]
        for row in pool.map(lambda one: run(one, programs, scratch, asked.seconds), there):
            failed = tell(row) or failed
    if asked.applications:
        sys.exit(failed)
    if shutil.which("weston") and shutil.which(ON_WAYLAND):
        failed = tell(run_on_wayland(ON_WAYLAND, programs, scratch, asked.seconds), " on Wayland") or failed
    else:
        print(f"desktop: left out, on Wayland: weston or {ON_WAYLAND} is not installed")
    sys.exit(failed)


main()
