"""What a window looks like with and without, and a display that is no X server."""
from harness import CRASHSCAN, SCRATCH, SOURCES, build, check, flags, is_there, judge
from pictures import compare
from screen import Compositor

STEPS = [["type", "some words"], ["key", "Tab"], ["key", "space"], ["key", "Tab"], ["key", "space"], ["key", "shift+Tab"]]


def looks_the_same():
    """By pictures after each step of a session, on screens of their own."""
    if not is_there("pictures of a session", "which", "xdotool"):
        return
    for version, package in ((3, "gtk+-3.0"), (4, "gtk4")):
        if not is_there(f"pictures of GTK {version}", "pkg-config", "--exists", package):
            continue
        program = SCRATCH / f"form{version}"
        build("gcc", "-g", "-o", program, SOURCES / "form.c", *flags(package))
        pictures, itself, watched = compare(CRASHSCAN, SCRATCH / f"pictures{version}", [program], STEPS)
        check(f"GTK {version}: a session shows something new at most steps", len(set(map(tuple, pictures))) >= len(STEPS) - 1)
        check(f"GTK {version}: and the same pixels when it is run again", itself == 0, itself)
        check(f"GTK {version}: and the same under `crashscan run --gtk`", watched == 0, watched)


def on_wayland():
    if not is_there("Wayland", "which", "weston"):
        return
    with Compositor(SCRATCH / "wayland") as compositor:
        for version, package in ((3, "gtk+-3.0"), (4, "gtk4")):
            if is_there(f"GTK {version} on Wayland", "pkg-config", "--exists", package):
                judge(f"GTK {version} on Wayland", ["--gtk"], "gtk.c", ["// here"], {"gtk_label_set_text"},
                      SCRATCH / f"gtk{version}", environment=compositor.environment)  # fmt: skip
