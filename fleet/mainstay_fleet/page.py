"""The page for the fleet: one file that fetches nothing, with the timelines of exemplary logs in it."""

import base64
import gzip
import hashlib
import html
import json
import pathlib
import re

from .reading import WRITTEN, command_for, run, scratch

PIECES = pathlib.Path(__file__).parent / "page"
# A timeline that is larger stays out of the page: ten of them must not make it too large to open.
LARGEST = 8 << 20
DIGEST = re.compile(r"(script|style)-src '(sha256-[^']+)'")


def examples(spark, reading, findings, most):
    """The timelines of so many logs, which executors make: each with a finding that none before it has."""
    names = list(dict.fromkeys(row["example"] for row in findings if row["example"]))[:most]

    def draw(name):
        if not name.startswith("/"):  # Only Hadoop's API reads it.
            return name, None
        with scratch() as folder:
            output = folder / "page.html"
            command = command_for(reading, name, output)
            command[1] = "report"
            command = [*_without_place(command), "--format", "html"]
            # One that was read only in part has a timeline too.
            if run(command, folder, reading.seconds, reading.megabytes, LARGEST) not in WRITTEN or not output.exists():
                return name, None
            return name, output.read_text()

    drawn = spark.sparkContext.parallelize(names, max(1, len(names))).map(draw).collect()
    return {name: text for name, text in drawn if text}


def _without_place(command):
    """The same without what only a summary takes; earlier runs that lie beside the log come with it."""
    words = iter(command)
    for word in words:
        if word in ("--host", "--release"):
            next(words)
        elif word != "--alone":
            yield word


def _digest(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _policy(style, script, timelines):
    """Lets in this page's own style and script, and those of the timelines, which inherit it."""
    allowed = {"script": {_digest(script)}, "style": {_digest(style)}}
    for text in timelines:
        for kind, digest in DIGEST.findall(html.unescape(text[:20_000])):
            allowed[kind].add(digest)
    lists = {kind: " ".join(f"'{digest}'" for digest in sorted(digests)) for kind, digests in allowed.items()}
    return (
        f"default-src 'none'; script-src {lists['script']}; style-src {lists['style']}; frame-src blob:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _inert(value):
    """JSON that cannot end the element it stands in."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def page(report, timelines):
    style = "".join((PIECES / name).read_text() for name in ("colours.css", "fleet.css"))
    script = "".join((PIECES / name).read_text() for name in ("marks.js", "fleet.js"))
    packed = {
        name: base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode() for name, text in timelines.items()
    }
    data = {
        "fleet": report.fleet, "findings": report.findings, "deaths": report.deaths, "culprits": report.culprits,
        "unread": report.unread, "timelines": packed,
    }  # fmt: skip
    filled = {
        "policy": html.escape(_policy(style, script, timelines.values()), quote=True),
        "style": style,
        "script": script,
        "data": _inert(data),
    }
    frame = (PIECES / "fleet.html").read_text()
    return re.sub(r"\{\{(\w+)\}\}", lambda found: filled[found.group(1)], frame)
