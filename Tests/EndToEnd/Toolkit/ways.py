"""Ways to call GTK that are not the plain one, each with what looks like it and is right."""
import json
import os

from harness import SCRATCH, SOURCES, Run, build, check, findings, flags, is_there, judge, lines_marked, places


def compiled(name, version, *options):
    program = SCRATCH / f"{name}{version}"
    build("gcc", "-g", "-Wall", "-Wextra", "-o", program, SOURCES / f"{name}.c", *options)
    return program


def ways(version, package):
    if not is_there(f"ways to call GTK {version} in C", "pkg-config", "--exists", package):
        return
    gtk = flags(package)
    judge(f"GTK {version} that another thread runs from some time on", ["--gtk"], "moves.c", ["// here"],
          {"gtk_label_set_text"}, compiled("moves", version, *gtk))  # fmt: skip
    headers = [flag for flag in gtk if not flag.startswith(("-l", "-L"))]
    judge(f"GTK {version}, loaded by dlopen", ["--gtk"], "opens.c", ["// here"], {"gtk_label_set_text"},
          compiled("opens", version, *headers, *flags("gobject-2.0")))  # fmt: skip
    judge(f"GTK {version}, calls with one place to return to", ["--gtk"], "tails.c", ["// here", "// and here"],
          {"gtk_widget_get_name", "g_object_notify", "gtk_separator_new"}, compiled("tails", version, "-O2", *gtk))  # fmt: skip
    queued(version, gtk, "queued.c")
    queued(version, gtk, "sources.c")
    known_bugs(version, package)
    if version == 3:
        judge("GTK 3, by who has its lock", ["--gtk"], "locks.c", ["// here"], {"gtk_label_set_text"},
              compiled("locks", version, *gtk))  # fmt: skip
        judge("GTK 3, by dlsym(RTLD_NEXT)", ["--gtk"], "next.c", ["// here"], {"gtk_label_set_text"},
              compiled("next", version, "-rdynamic", *gtk))  # fmt: skip
        children()


def queued(version, gtk, source):
    """Work on the threads of a pool or of another main loop, which somebody else started."""
    program = compiled(source.removesuffix(".c"), version, *gtk)
    wrong = judge(f"GTK {version} in work that was queued, {source}", ["--gtk"], source, ["// here", "// and here"],
                  {"gtk_label_set_text"}, program)  # fmt: skip
    steps = [step for each in wrong.findings for step in each["cause"] if step["text"] == "queued the work"]
    lines = {step["place"]["line"] for step in steps if step.get("place")}
    check("with who queued it", lines == lines_marked(SOURCES / source, "// queues"), wrong)
    check("and not with who started the thread", "started the thread" not in json.dumps(wrong.findings), wrong)


def children():
    """A program that starts one with the fault, in whose environment it finds nothing of ours. A shell
    leaves by _exit, which is another finding."""
    program = SCRATCH / "gtk3"
    shell = ["sh", "-c", f'echo "preloaded: $LD_PRELOAD"; {program} $1; exit $?', "sh"]
    alone = Run(["--gtk"], *shell, "wrong")
    logs = sorted(SCRATCH.glob("toolkit-*.log"))
    check("without --children: nothing of what a child does", not places(alone.findings) and not logs, f"{alone} {logs}")
    check("and a child's environment is as it was", alone.output == f"preloaded: {os.environ.get('LD_PRELOAD', '')}\n", alone)
    check("and the status is the program's own", alone.status == 7, alone)
    followed = Run(["--gtk", "--children"], *shell, "wrong")
    logs = sorted(SCRATCH.glob("toolkit-*.log"))
    found = [findings(log) for log in logs]
    expected = {("gtk.c", line) for line in lines_marked(SOURCES / "gtk.c", "// here")}
    check("--children: the child's fault in the child's log", [places(each) for each in found] == [expected], f"{followed} {found}")
    check("and none in the parent's", not places(followed.findings) and followed.status == 7, followed)
    right = Run(["--gtk", "--children"], *shell, "")
    # A child's log begins with what is found.
    logs = sorted(SCRATCH.glob("toolkit-*.log"))
    check("--children: nothing is found where it is handed over",
          "libmainstay-toolkit.so" in right.output and not logs and not places(right.findings), f"{right} {logs}")  # fmt: skip


def known_bugs(version, package):
    """What others reported, reduced."""
    gtk = flags(package)
    if version == 4:
        judge("gotk4 135, reduced", ["--gtk"], "gotk4.c", ["// here"], {"gtk_widget_set_visible"},
              compiled("gotk4", version, *gtk))  # fmt: skip
        return
    judge("Waybar 4679, reduced", ["--gtk"], "waybar.c", ["// here"], {"gtk_label_set_markup"},
          compiled("waybar", version, *gtk))  # fmt: skip
    if is_there("hypnotix 409, reduced", "/usr/bin/python3", "-c",
                "import gi; gi.require_version('Gtk', '3.0'); from gi.repository import Gtk"):  # fmt: skip
        judge("hypnotix 409, reduced", ["--gtk"], "hypnotix.py", ["# here", "# and here", "# and there"],
              {"gtk_widget_set_sensitive", "gdk_cursor_new_from_name", "gdk_display_get_default",
               "gtk_widget_get_window", "gdk_window_set_cursor"},
              "/usr/bin/python3", SOURCES / "hypnotix.py")  # fmt: skip
