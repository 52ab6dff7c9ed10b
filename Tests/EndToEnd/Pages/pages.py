"""Runs what README.md and the pages of docs/ show: `pages.py PROGRAMS check|write [PAGE…]`.

- Each command in a block of `sh` runs, one after the other, in a folder of the page's own that has the recordings below. A block
  behind `<!-- not run: REASON -->` does not; of `make` only the target is looked up.
- A block behind `<!-- output: COMMAND -->` is what COMMAND prints. `check` compares, without numbers, times and addresses, and
  `write` writes it anew.

PROGRAMS has crashscan and demo-service. crashscan may exit with 1, for findings; all else has to exit with 0.
"""

import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = pathlib.Path(sys.argv[1]).resolve()
REPORTS = ROOT / "Tests/Fixtures/reports"
FILES = {"console.txt": "claim-layer-console.txt", "crash.ips": "alike-ips-delegate-crash.ips", "event.json": "claim-layer-sentry.json"}
BLOCK = re.compile(r"^(?:<!-- (?P<kind>output|not run): (?P<text>.*?) -->\n+)?```(?P<language>\w*)\n(?P<body>.*?)^```$", re.M | re.S)
FAILED = []


def check(what, holds, seen=""):
    if not holds:
        FAILED.append(what)
        print(f"  FAILS: {what}\n    " + str(seen).strip().replace("\n", "\n    "), flush=True)


def environment(folder):
    return os.environ | {
        "PATH": f"{folder}/bin:{PROGRAMS}:{os.environ['PATH']}", "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1",
        "HOME": str(folder), "COLUMNS": "100",
    }  # fmt: skip


def shell(command, folder):
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment(folder), text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
    return done.returncode, done.stdout


def scene(recordings):
    """A folder with the files that pages read by their usual names."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="mainstay-page-"))
    shutil.copytree(recordings, folder, dirs_exist_ok=True)
    return folder


def record(folder):
    """The recordings: logs of the demo, reports of other tools, and a project that makes tests possible."""
    subprocess.run([PROGRAMS / "demo-service", "breadcrumbs.log"], cwd=folder, env=environment(folder), capture_output=True)
    assert (folder / "breadcrumbs.log").exists(), "demo-service has left no log"
    (folder / "logs").mkdir()
    shutil.copy(folder / "breadcrumbs.log", folder / "logs/breadcrumbs.log")
    for name, fixture in FILES.items():
        shutil.copy(REPORTS / fixture, folder / name)
    (folder / "service").symlink_to(PROGRAMS / "demo-service")
    build_audited(folder)
    # For docs/command-line.md: the options of a help text, one a line.
    options = folder / "bin/options"
    options.parent.mkdir()
    options.write_text("""#!/bin/sh
crashscan "$1" --help | sed '1,/^Options:$/d' | grep -v -e '--help  ' |
  awk '/^  -/ { if (line) print line; sub(/^  /, ""); line = $0; next } { sub(/^ +/, ""); line = line " " $0 } END { print line }'
""")
    options.chmod(0o755)


def build_audited(folder):
    """For docs/audit.md: a program in Swift 6's language mode that uses a library in Swift 5's."""
    sources, library = folder / "Sources", folder / "library"
    shutil.copytree(pathlib.Path(__file__).parent / "app", sources)
    library.mkdir()
    for options in (
        ["-swift-version", "5", "-emit-module", "-emit-library", "-static", "-module-name", "Feed", sources / "Feed.swift",
         "-emit-module-path", library / "Feed.swiftmodule", "-o", library / "libFeed.a"],
        ["-swift-version", "6", "-I", library, sources / "Model.swift", "-L", library, "-lFeed", "-o", folder / "app"],
    ):  # fmt: skip
        subprocess.run(["swiftc", "-parse-as-library", "-g", *options], check=True)


def commands(body):
    """The command lines of a block: continued lines are one, comments none."""
    for line in body.replace("\\\n", " ").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()


def run(page, line, folder):
    if target := re.match(r"make ([\w-]+)", line):
        status, said = shell(f"make -n -C {ROOT} {target[1]} > /dev/null", folder)
        return check(f"{page}: {line}", status == 0, said)
    status, said = shell(line, folder)
    allowed = (0, 1) if "crashscan" in line else (0,)
    check(f"{page}: {line} (status {status})", status in allowed, said)


def output(command, folder):
    """What a command prints, with paths relative to this checkout."""
    said = shell(command, folder)[1]
    for place in (f"{ROOT}/", f"{PROGRAMS}/", f"{folder}/"):
        said = said.replace(place, "")
    # Debug information has the folder in which the recordings were made.
    said = re.sub(r"\S*/mainstay-pages-\w+/", "", said)
    return "".join(line.rstrip() + "\n" for line in said.splitlines()).strip("\n") + "\n"


def alike(text):
    """A text without what differs from run to run."""
    text = re.sub(r"\b[0-9a-f]{12,}\b", "H", text)
    text = re.sub(r"[\d.,]*\d(\s?(ns|µs|ms|s|min|h|MiB|KiB)\b)?", "N", text)
    return [re.sub(r"[\s-]+", " ", line).strip() for line in text.splitlines()]


def visit(page, writes, recordings):
    path = ROOT / page
    folder = scene(recordings)
    text = path.read_text()
    count = 0

    def replaced(match):
        nonlocal count
        kind = match["kind"]
        if kind == "output":
            count += 1
            said = output(match["text"], folder)
            if writes:
                start = match.start("body") - match.start()
                return match[0][:start] + said + match[0][start + len(match["body"]):]
            old, new = alike(match["body"]), alike(said)
            check(f"{page}: the output of {match['text']} is another now; `make check-pages UPDATE=1` writes it",
                  old == new, "\n".join(difflib.unified_diff(old, new, "page", "now", lineterm="", n=1)))  # fmt: skip
        elif kind is None and match["language"] == "sh":
            for line in commands(match["body"]):
                count += 1
                run(page, line, folder)
        return match[0]

    written = BLOCK.sub(replaced, text)
    if writes:
        path.write_text(written)
    shutil.rmtree(folder)
    print(f"{page}: {count} commands", flush=True)
    return count


def main(mode, *pages):
    pages = pages or ["README.md", *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").glob("*.md"))]
    recordings = pathlib.Path(tempfile.mkdtemp(prefix="mainstay-pages-"))
    record(recordings)
    total = sum(visit(page, mode == "write", recordings) for page in pages)
    shutil.rmtree(recordings)
    check("the pages have commands", total > 0)
    print(f"pages: {total} commands of {len(pages)} pages, {len(FAILED)} fail")
    sys.exit(bool(FAILED))


main(*sys.argv[2:])
