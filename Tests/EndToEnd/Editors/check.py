"""Opens findings in editors, by the settings that docs/formats.md shows: check.py PROGRAMS, which has crashscan and misbehave.

Vim is a real one, on a terminal of tmux. For VS Code the task and its problem matcher are read as it reads them.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = pathlib.Path(sys.argv[1]).resolve()
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="mainstay-editors-"))
PAGE = (ROOT / "docs/formats.md").read_text()
SOCKET = f"mainstay-editors-{os.getpid()}"
# Nothing is measured by it: what has not come by then does not come.
PATIENCE = 60
FAILED = []


def check(what, holds, seen=""):
    print(("  holds: " if holds else "  FAILS: ") + what, flush=True)
    if not holds:
        FAILED.append(what)
        print("    seen: " + str(seen).replace("\n", "\n    "), flush=True)


def block(language):
    return re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)[1]


def tmux(*arguments):
    return subprocess.run(["tmux", "-L", SOCKET, *arguments], check=True, capture_output=True, text=True).stdout


def comes(condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def check_vim(place):
    (SCRATCH / "settings.vim").write_text(block("vim"))
    tmux("new-session", "-d", "-s", "vim", "-x", "160", "-y", "40", "-c", str(SCRATCH),
         "env", "LANG=C.UTF-8", "SHELL=/bin/sh", f"PATH={PROGRAMS}:{os.environ['PATH']}",
         "vim", "-u", "NONE", "-N", "-c", "set shortmess+=atI", "-S", "settings.vim")  # fmt: skip
    try:
        command = re.search(r"^:make .*$", PAGE, re.M)[0]
        tmux("send-keys", "-t", "vim", command, "Enter")

        def shows(*texts):
            return comes(lambda: all(text in tmux("capture-pane", "-p", "-t", "vim") for text in texts))

        # `:make` shows what it ran until a key is pressed.
        shows("Press ENTER")
        tmux("send-keys", "-t", "vim", "Enter", ":cwindow", "Enter")
        file, line, column, code = place
        check("Vim lists the finding, with its type", shows("off-main-ui", f"{line} col {column} error"),
              tmux("capture-pane", "-p", "-t", "vim"))  # fmt: skip
        tmux("send-keys", "-t", "vim", ":cfirst | echo expand('%:t') line('.') col('.')", "Enter")
        check("Vim opens the file at the statement", shows(f"{file.name} {line} {column}", code),
              tmux("capture-pane", "-p", "-t", "vim"))  # fmt: skip
    finally:
        tmux("kill-server")


def check_code(place):
    (task,) = json.loads(block("json"))["tasks"]
    matcher = task["problemMatcher"]
    command = task["command"].replace("${file}", "breadcrumbs.log")
    output = subprocess.run(["sh", "-c", command], cwd=SCRATCH, capture_output=True, text=True,
                            env=os.environ | {"PATH": f"{PROGRAMS}:{os.environ['PATH']}"}).stdout  # fmt: skip
    pattern = matcher["pattern"]
    found = [re.match(pattern["regexp"], line) for line in output.splitlines()]
    check("VS Code's matcher takes every line with a place", all(found), output)
    first = {name: found[0][pattern[name]] for name in ("file", "line", "column", "severity", "message")}
    file, line, column, _ = place
    check("VS Code's matcher names the statement", (first["file"], first["line"], first["column"], first["severity"])
          == (str(file), line, column, "error") and "off-main-ui" in first["message"], first)  # fmt: skip


def main():
    subprocess.run([PROGRAMS / "misbehave", "off-main-ui", "wrong", SCRATCH / "breadcrumbs.log"], capture_output=True,
                   env=os.environ | {"SWIFT_BACKTRACE": "enable=no"})  # fmt: skip
    said = subprocess.run([PROGRAMS / "crashscan", "--format", "gcc", "breadcrumbs.log"], cwd=SCRATCH,
                          capture_output=True, text=True).stdout  # fmt: skip
    file, line, column = re.match(r"(/.*?):(\d+):(\d+): error: ", said).groups()
    code = pathlib.Path(file).read_text().splitlines()[int(line) - 1].strip()
    place = (pathlib.Path(file), line, column, code)
    check_vim(place)
    check_code(place)
    sys.exit(bool(FAILED))


main()
