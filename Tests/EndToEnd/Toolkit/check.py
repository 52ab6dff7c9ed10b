"""Checks `crashscan run --gtk` and `--calls` on programs that call a toolkit off its thread, and on ones that do not.

check.py PROGRAMS SCRATCH   where PROGRAMS holds crashscan. What is not installed is left out, and said.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROGRAMS, SCRATCH = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SOURCES = HERE / "Programs"
BUILT = SCRATCH.parent  # kept from run to run
CRASHSCAN = PROGRAMS / "crashscan"
# What has not come by then does not come.
PATIENCE = 180
FAILED, LEFT_OUT = [], []


def check(what, holds, seen=""):
    print(("  holds: " if holds else "  FAILS: ") + what, flush=True)
    if not holds:
        FAILED.append(what)
        print("    seen: " + str(seen).replace("\n", "\n    "), flush=True)


def is_there(what, *command):
    try:
        there = subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        there = False
    if not there:
        LEFT_OUT.append(what)
    return there


def flags(*packages):
    return subprocess.run(
        ["pkg-config", "--cflags", "--libs", *packages], capture_output=True, text=True).stdout.split()  # fmt: skip


def build(*command):
    built = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=SCRATCH)
    if built.returncode != 0:
        sys.exit(f"{command}: {built.stdout}{built.stderr}")


class Run:
    """A run of a program under `crashscan run`, and what is found in its log."""

    def __init__(self, options, *command):
        log = SCRATCH / "toolkit.log"
        log.unlink(missing_ok=True)
        ran = subprocess.run(
            list(map(str, [CRASHSCAN, "run", *options, "--log", log, "--", *command])),
            capture_output=True, text=True, timeout=PATIENCE, cwd=SCRATCH,
            env={**os.environ, "XDG_CACHE_HOME": str(SCRATCH / "cache"), "NO_AT_BRIDGE": "1"})  # fmt: skip
        self.status, self.output, self.errors = ran.returncode, ran.stdout, ran.stderr
        told = subprocess.run([CRASHSCAN, "report", "--format", "json", log], capture_output=True, text=True)
        self.findings = json.loads(told.stdout)["findings"] if told.stdout else [told.stderr]

    def __str__(self):
        return f"status {self.status}\n{self.output}{self.errors}{json.dumps(self.findings, indent=1)}"


def lines_marked(source, *marks):
    """The lines of a program that a comment marks."""
    lines = source.read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if any(line.endswith(mark) for mark in marks)}


def judge(what, options, source, marks, api, *command, folder=SOURCES):
    """The program with the fault, and without."""
    wrong = Run(options, *command, "wrong")
    places = {(pathlib.Path((each.get("culprit") or {}).get("file") or "").name, (each.get("culprit") or {}).get("line"))
              for each in wrong.findings if each["rule"] == "toolkit-off-thread"}  # fmt: skip
    expected = {(source, line) for line in lines_marked(folder / source, *marks)}
    check(f"{what}: the fault is found at its line", places == expected, wrong)
    check(f"{what}: by its function, and nothing else is found",
          {each.get("api") for each in wrong.findings} == api, wrong)  # fmt: skip
    check(f"{what}: the status is the program's own", wrong.status == 7, wrong)
    right = Run(options, *command)
    check(f"{what}: nothing is found where it is handed over", right.findings == [] and right.status == 7, right)
    return wrong


def shapes():
    """Whether what a call hands over comes through, and what comes back."""
    build("gcc", "-g", "-O1", "-shared", "-fPIC", "-Wno-psabi", "-o", "libshapes.so", SOURCES / "shapes.c")
    ways = {"lazily": ["-Wl,-z,lazy"], "at once": ["-Wl,-z,now"], "without a table of calls": ["-fno-plt", "-Wl,-z,now"],
            "from a fixed place": ["-no-pie", "-fno-pie"]}  # fmt: skip
    for what, options in ways.items():
        build("gcc", "-g", "-O1", "-Wno-psabi", *options, "-o", "calls-shapes", SOURCES / "calls-shapes.c", "-L.",
              "-lshapes", "-Wl,-rpath,$ORIGIN")  # fmt: skip
        run = Run(["--calls", SOURCES / "shapes.calls", "--report"], SCRATCH / "calls-shapes")
        check(f"a function of every shape, bound {what}", run.status == 7 and run.output == "", run)
        found = {each["api"] for each in run.findings}
        check(f"and each is found off its thread, bound {what}", len(found) >= 16 and "shape_none" in found, run)
    run = Run(["--calls", SOURCES / "shapes.calls", "--trap"], SCRATCH / "calls-shapes")
    check("--trap ends the program", run.status in (-signal.SIGILL, -signal.SIGTRAP), run)
    allowed = SCRATCH / "allowed"
    allowed.write_text("# all of it\nlibrary calls-shapes\ncall shape_none\n")
    run = Run(["--calls", SOURCES / "shapes.calls", "--allow", allowed], SCRATCH / "calls-shapes")
    check("--allow leaves a function out", "shape_none" not in {each["api"] for each in run.findings}, run)


def gtk(version, package):
    options = ["--gtk"]
    if is_there(f"GTK {version} in C", "pkg-config", "--exists", package):
        build("gcc", "-g", "-o", f"gtk{version}", SOURCES / "gtk.c", *flags(package))
        wrong = judge(f"GTK {version} in C", options, "gtk.c", ["// here"], {"gtk_label_set_text"},
                      SCRATCH / f"gtk{version}")  # fmt: skip
        told = json.dumps(wrong.findings, ensure_ascii=False)
        check("with the widget, who started the thread, and the fix",
              "GtkLabel “state”" in told and "started the thread" in told and "g_idle_add" in told, wrong)  # fmt: skip
    if is_there(f"GTK {version} in Python", "/usr/bin/python3", "-c",
                f"import gi; gi.require_version('Gtk', '{version}.0'); from gi.repository import Gtk"):  # fmt: skip
        wrong = judge(f"GTK {version} in Python", options, "gtk.py", ["# here", "# and here", "# and there"],
                      {"gtk_label_set_text", "g_object_set_property", "g_object_new_with_properties"},
                      "/usr/bin/python3", SOURCES / "gtk.py", f"{version}.0")  # fmt: skip
        told = json.dumps(wrong.findings, ensure_ascii=False)
        check("with the fix in its language", "GLib.idle_add" in told, wrong)
    if is_there(f"GTK {version} in Vala", "valac", "--version"):
        defined = ["-D", "GTK3"] if version == 3 else []
        build("valac", "-g", *defined, "--pkg", package, "-o", f"vala{version}", SOURCES / "gtk.vala")
        wrong = judge(f"GTK {version} in Vala", options, "gtk.vala", ["// here"], {"gtk_label_set_label"},
                      SCRATCH / f"vala{version}")  # fmt: skip
        told = json.dumps(wrong.findings, ensure_ascii=False)
        check("with the fix in its language", "Idle.add(() =>" in told, wrong)


def swift(version, package):
    """Each version has a folder of its own: one build of a package is for one of them."""
    if not is_there(f"GTK {version} in Swift", "pkg-config", "--exists", package):
        return
    folder = BUILT / f"toolkit-swift-{version}"
    built = subprocess.run(
        ["swift", "build", "--package-path", HERE / "SwiftPackage", "--scratch-path", folder, "-Xcc", "-w",
         "-Xlinker", "--build-id"],
        capture_output=True, text=True, env={**os.environ, "MAINSTAY_GTK": str(version)})  # fmt: skip
    if built.returncode != 0:
        sys.exit(built.stdout + built.stderr)
    wrong = judge(f"GTK {version} in Swift", ["--gtk"], "Board.swift", ["// here"], {"gtk_widget_set_tooltip_text"},
                  folder / "debug/Board", folder=HERE / "SwiftPackage/Sources/Board")  # fmt: skip
    check("with who started the thread", "started the thread" in json.dumps(wrong.findings), wrong)


def sdl():
    if is_there("SDL 2", "pkg-config", "--exists", "sdl2"):
        build("gcc", "-g", "-o", "sdl", SOURCES / "sdl.c", *flags("sdl2"))
        judge("SDL 2 in C", ["--calls", "sdl2"], "sdl.c", ["// here"], {"SDL_SetWindowTitle"}, SCRATCH / "sdl")


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir(parents=True)
    subprocess.run([ROOT / "scripts/preload", PROGRAMS / "libmainstay-toolkit.so"], check=True)
    shapes()
    if is_there("what needs a screen: GTK and SDL", "which", "Xvfb"):
        ready, said = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(said), "-screen", "0", "800x600x24", "-nolisten", "tcp"],
            pass_fds=[said], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        os.close(said)
        try:
            with os.fdopen(ready) as told:
                os.environ["DISPLAY"] = ":" + told.readline().strip()
            os.environ["GDK_BACKEND"], os.environ["SDL_VIDEODRIVER"] = "x11", "x11"
            gtk(3, "gtk+-3.0")
            gtk(4, "gtk4")
            swift(3, "gtk+-3.0")
            swift(4, "gtk4")
            sdl()
        finally:
            server.terminate()
            server.wait()
    for what in LEFT_OUT:
        print(f"toolkit: left out: {what}; `scripts/setup toolkit` installs what it needs")
    if FAILED:
        sys.exit(1)


main()
