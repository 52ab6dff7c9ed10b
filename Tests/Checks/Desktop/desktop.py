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
# What a person does: a menu, text, another window, a dialog, back.
KEYS = ["F10", "Down", "Down", "Escape", "type", "Tab", "Return", "ctrl+n", "type", "ctrl+f", "type", "Escape",
        "ctrl+o", "Escape", "alt+f", "Down", "Escape", "Tab", "space", "ctrl+comma", "Escape", "Up", "Left"]  # fmt: skip


def owner_calls(pid, library):
    """How many calls went by on the owner's thread so far, read out of the process."""
    symbols = subprocess.run(["nm", library], capture_output=True, text=True, check=True).stdout
    place = int(re.search(r"^(\w+) \w ms_toolkit_owners$", symbols, re.M)[1], 16)
    try:
        maps = pathlib.Path(f"/proc/{pid}/maps").read_text()
        base = min(int(line.split("-")[0], 16) for line in maps.splitlines() if line.endswith(str(library)))
        with open(f"/proc/{pid}/mem", "rb") as memory:
            memory.seek(base + place + 24)
            return int.from_bytes(memory.read(8), "little")
    except (OSError, ValueError):
        return None


def drive(xdotool, seconds, process):
    # The time counts from the first window on.
    end = time.monotonic() + PATIENCE
    step = 0
    seen = False
    while time.monotonic() < end and process.poll() is None:
        windows = xdotool("search", "--onlyvisible", "--name", ".").split()
        if not windows:
            time.sleep(0.2)
            continue
        if not seen:
            end = time.monotonic() + seconds
        seen = True
        key = KEYS[step % len(KEYS)]
        step += 1
        xdotool("windowfocus", windows[-1])
        xdotool(*(["type", "a line"] if key == "type" else ["key", key]))
        if step % 7 == 0:
            xdotool("mousemove", str(40 + step * 37 % 600), str(20 + step * 53 % 400), "click", "1")
    return seen, step


def run(application, programs, scratch, seconds):
    name = application.split()[0]
    home = scratch / name
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    (home / "note.txt").write_text("a note\n")
    with Screen(home / "screen") as screen:
        return watch(application, programs, home, screen.environment, lambda process: drive(screen.xdotool, seconds, process))


def run_on_wayland(application, programs, scratch, seconds):
    """Without keys: a compositor that shows nothing has none."""
    home = scratch / f"wayland-{application}"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)

    def wait(process):
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass
        return True, 0

    with Compositor(home / "screen") as compositor:
        return watch(application, programs, home, compositor.environment, wait)


def watch(application, programs, home, environment, use):
    log = home / "toolkit.log"
    process = subprocess.Popen(
        [programs / "crashscan", "run", "--gtk", "--log", log, "--", *application.split()],
        env=environment, cwd=home, stdout=(home / "out.txt").open("w"), stderr=subprocess.STDOUT)  # fmt: skip
    seen, steps = use(process)
    calls = owner_calls(process.pid, programs / "libmainstay-toolkit.so")
    ended = process.poll()
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    told = subprocess.run([programs / "crashscan", "report", "--format", "json", log], capture_output=True, text=True)
    found = [f for f in json.loads(told.stdout)["findings"] if f["rule"] == "toolkit-off-thread"] if told.stdout else []
    return {"application": application, "window": seen, "steps": steps, "calls": calls, "ended": ended,
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
    wanted = asked.applications or APPLICATIONS
    missing = [one for one in wanted if not shutil.which(one.split()[0])]
    for one in missing:
        print(f"desktop: left out, not installed: {one}")
    failed = False

    def tell(row, where=""):
        calls = "not known" if row["calls"] is None else f"{row['calls']:,}"
        ended = "no" if row["ended"] is None else f"with {row['ended']}"
        print(f"| {row['application']}{where} | {'yes' if row['window'] else 'no'} | {row['steps']} | {calls} | {ended} | "
              f"{'; '.join(row['found']) or 'nothing'} |", flush=True)  # fmt: skip
        return bool(row["found"])

    print("| application | window | keys and clicks | calls checked | ended by itself | found |\n|---|---|---|---|---|---|")
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
