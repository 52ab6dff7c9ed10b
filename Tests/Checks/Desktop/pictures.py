"""Compares what a program shows with and without `crashscan run --gtk`, by pictures after each step of a session.

pictures.py PROGRAMS SCRATCH [APPLICATION]…   where PROGRAMS holds crashscan.
"""
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from screen import Screen

PATIENCE = 120
# Each with what a person would do, but what depends on how fast it is done: mousepad counts what it finds as one types.
APPLICATIONS = {
    "mousepad": [["type", "a line"], ["key", "Return"], ["type", "another"], ["key", "ctrl+a"], ["key", "F10"],
                 ["key", "Down"], ["key", "Escape"], ["key", "ctrl+f"], ["key", "Escape"]],
    "galculator": [["type", "12*34"], ["key", "Return"], ["key", "F10"], ["key", "Down"], ["key", "Escape"],
                   ["type", "5/8"], ["key", "Return"]],
    "gnome-calculator": [["type", "12*34"], ["key", "Return"], ["type", "7+8"], ["key", "Return"], ["key", "ctrl+z"]],
    "l3afpad": [["type", "a line"], ["key", "Return"], ["type", "another"], ["key", "ctrl+a"], ["key", "F10"], ["key", "Escape"]],
}  # fmt: skip
SETTINGS = "[Settings]\ngtk-enable-animations=false\ngtk-cursor-blink=false\n"


def is_idle(*pids):
    """Whether no thread of these has anything to do."""
    for pid in pids:
        for state in pathlib.Path(f"/proc/{pid}/task").glob("*/stat"):
            try:
                if state.read_text().rpartition(")")[2].split()[0] != "S":
                    return False
            except (FileNotFoundError, ProcessLookupError):
                return False
    return True


def settled(screen, process):
    """The picture that stays: the same for a while in which nobody had anything to do."""
    picture, quiet, end = None, 0, time.monotonic() + PATIENCE
    while quiet < 8 and time.monotonic() < end:
        time.sleep(0.1)
        now = screen.picture()
        quiet = quiet + 1 if now == picture and is_idle(process.pid, screen.server.pid) else 0
        picture = now
    return picture


def as_expected(screen, process, expected):
    """The picture that is expected, as soon as it is there, else the one that stays."""
    end = time.monotonic() + PATIENCE / 6
    while time.monotonic() < end:
        picture = screen.picture()
        if picture == expected:
            return picture
        time.sleep(0.05)
    return settled(screen, process)


def session(folder, command, steps, expected=None):
    """A picture of the start, and after each step."""
    with Screen(folder) as screen:
        for version in ("3.0", "4.0"):
            settings = folder / f".config/gtk-{version}/settings.ini"
            settings.parent.mkdir(parents=True)
            settings.write_text(SETTINGS)
        screen.environment |= {"XDG_CONFIG_HOME": str(folder / ".config"), "GSK_RENDERER": "cairo"}
        screen.xdotool("mousemove", 799, 599)
        process = subprocess.Popen(
            list(map(str, command)), env=screen.environment, cwd=folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)  # fmt: skip
        try:
            screen.xdotool("search", "--sync", "--onlyvisible", "--name", ".")
            pictures = []
            for step in [None, *steps]:
                if step:
                    window = screen.xdotool("search", "--onlyvisible", "--name", ".").split()[-1:]
                    screen.xdotool("windowfocus", *window)
                    screen.xdotool(*step)
                wanted = expected[len(pictures)] if expected else None
                pictures.append(as_expected(screen, process, wanted) if expected else settled(screen, process))
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
    return pictures


def differences(one, other):
    """How many pixels differ."""
    changed = 0
    for rows in zip(one, other):
        for left, right in zip(*rows):
            if left != right:
                changed += sum(left[i : i + 4] != right[i : i + 4] for i in range(0, len(left), 4))
    return changed


def compare(crashscan, scratch, command, steps):
    """The pictures without, and how many pixels differ when it is run again, and with."""
    plain = session(scratch / "plain", command, steps)
    again = session(scratch / "again", command, steps, plain)
    watched = [crashscan, "run", "--gtk", "--log", scratch / "watched.log", "--", *command]
    return plain, differences(plain, again), differences(plain, session(scratch / "watched", watched, steps, plain))


def main():
    programs, scratch = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    root = pathlib.Path(__file__).resolve().parents[3]
    subprocess.run([root / "scripts/preload", programs / "libmainstay-toolkit.so"], check=True)
    failed = False
    print("| application | pictures | pixels that differ without | with |\n|---|---|---|---|")
    for application in sys.argv[3:] or APPLICATIONS:
        if not shutil.which(application):
            print(f"pictures: left out, not installed: {application}")
            continue
        steps = APPLICATIONS[application]
        pictures, itself, watched = compare(programs / "crashscan", scratch / application, [application], steps)
        different = len(set(map(tuple, pictures)))
        print(f"| {application} | {len(pictures)}, {different} of them different | {itself} | {watched} |", flush=True)
        failed = failed or itself + watched > 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
