"""Checks `crashscan run --gtk` and `--calls` on programs that call a toolkit off its thread, and on ones that do not.

check.py PROGRAMS SCRATCH   where PROGRAMS holds crashscan. What is not installed is left out, and said.
"""
import json
import os
import shutil
import signal
import subprocess
import sys

from harness import (
    BUILT, FAILED, HERE, LEFT_OUT, PROGRAMS, ROOT, SCRATCH, SOURCES, Run, build, check, flags, is_there, judge)  # fmt: skip
from screen import Screen
from screens import looks_the_same, on_wayland
from ways import ways


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
        with Screen(SCRATCH / "screen") as screen:
            for name in ("DISPLAY", "GDK_BACKEND", "SDL_VIDEODRIVER", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
                os.environ[name] = screen.environment[name]
            for version, package in ((3, "gtk+-3.0"), (4, "gtk4")):
                gtk(version, package)
                ways(version, package)
                swift(version, package)
            sdl()
        looks_the_same()
    on_wayland()
    for what in LEFT_OUT:
        print(f"toolkit: left out: {what}; `scripts/setup toolkit` installs what it needs")
    if FAILED:
        sys.exit(1)


main()
