"""Checks the traces and stacks that crashscan writes, by the tools they are written for.

check.py DRIVEN-SERVICE CRASHSCAN MISBEHAVE [FOLDER]

FOLDER is where Perfetto's engine stands. Without it what needs the engine is left out, which is said.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

import stacks

SERVICE, CRASHSCAN, MISBEHAVE = (os.path.abspath(path) for path in sys.argv[1:4])
FOLDER = sys.argv[4] if len(sys.argv) > 4 else None
SCRATCH = tempfile.mkdtemp(prefix="mainstay-traces-")
OUTCOMES = Counter()


def check(what, holds, seen=""):
    OUTCOMES["passed" if holds else "failed"] += 1
    print(("  holds: " if holds else "  FAILS: ") + what + ("" if holds else f"; seen: {seen}"))


def equal(what, seen, expected):
    check(what, seen == expected, f"{seen!r}, expected {expected!r}")


def log_of(name, *commands, capacity=1 << 20):
    """The log of a service that was told these commands."""
    path = os.path.join(SCRATCH, name)
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
    subprocess.run(
        [SERVICE, path, str(capacity)], input="\n".join(commands) + "\n", text=True,
        env=environment, capture_output=True, timeout=120)
    return path


def crashscan(*arguments):
    return subprocess.run(
        [CRASHSCAN, *arguments], capture_output=True, text=True, timeout=300, check=True).stdout


def trace_of(log):
    crashscan("report", log, "--format", "perfetto", "--output", log + ".pftrace")
    return log + ".pftrace"


def shown(log):
    return json.loads(crashscan("show", log, "--format", "json"))


def errors(engine):
    """What the engine says went wrong with a trace, or was lost of it."""
    return engine.rows(
        "select name, value from stats where severity in ('error', 'data_loss') and value != 0")


def same_times(seen, expected):
    """Whether both are the same texts at the same times, but for what a conversion of clocks rounds."""
    return len(seen) == len(expected) and all(
        abs(a[0] - b[0]) < 1000 and a[1] == b[1] for a, b in zip(sorted(seen), sorted(expected)))


def value_of(crumb, key):
    return next((pair["value"] for pair in crumb["data"] if pair["key"] == key), None)


# MARK: What a trace has to show


def check_schema(path):
    """Every field of every packet is known to Perfetto's published schema, by number and type."""
    from google.protobuf import unknown_fields
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2
    trace = perfetto_trace_pb2.Trace()
    trace.ParseFromString(open(path, "rb").read())
    unknown = Counter()

    def visit(message):
        for field in unknown_fields.UnknownFieldSet(message):
            unknown[message.DESCRIPTOR.name, field.field_number] += 1
        for field, value in message.ListFields():
            if field.message_type:
                for part in value if field.is_repeated else [value]:
                    visit(part)

    visit(trace)
    equal("every field is one of Perfetto's schema", dict(unknown), {})


def check_threads(engine, crumbs, document):
    expected = {(c["thread"]["id"], c["thread"]["name"]) for c in crumbs}
    crash = document["crash"]
    expected |= {(t["id"], t["name"]) for t in [crash["thread"], *crash["otherThreads"]]}
    seen = engine.rows(
        "select tid, thread.name from thread join thread_track using (utid) group by utid")
    equal("threads have their ids and names", Counter(seen), Counter(expected))
    equal("they belong to the process", engine.rows(
        "select distinct pid, process.name from thread_track join thread using (utid)"
        " join process using (upid)"), [(document["process"]["id"], "driven-service")])


def check_work(engine, crumbs):
    work = [c for c in crumbs if c["kind"] == "ui-work"]
    seen = engine.rows("select ts + dur, name from slice where category glob 'ui-work*'")
    check("each UI work is a slice that ends where its crumb was left",
          same_times(seen, [(c["monotonic"], c["message"]) for c in work]), len(seen))
    lengths = engine.value("select sum(dur) from slice where category glob 'ui-work*'")
    told = sum(value_of(c, "nanoseconds") for c in work)
    check("slices are as long as the work", abs(lengths - told) <= told * 0.001, (lengths, told))
    nested = engine.rows(
        "select parent.name, slice.depth from slice join slice parent on slice.parent_id = parent.id"
        " where slice.name = 'cell layout' and slice.category glob 'ui-work*'")
    equal("work within work lies within it", nested, [("table layout", 1)])


def check_hops(engine, crumbs):
    steps = Counter()
    for crumb in crumbs:
        if crumb["kind"] == "hop":
            steps[crumb["hop"], crumb["message"] == "arrival"] += 1
    whole = sum(steps[hop, False] for hop, arrives in list(steps) if arrives)
    flows = engine.rows(
        "select a.name, b.name, count(), min(b.ts - a.ts) >= 0 from flow"
        " join slice a on slice_out = a.id join slice b on slice_in = b.id group by 1, 2")
    equal("each hop is a flow from arrival to run", sum(row[2] for row in flows), whole)
    check("flows lead forward in time, between steps of one hop", all(
        forward == 1 and out.rsplit(":", 1)[0] == into.rsplit(":", 1)[0]
        for out, into, _, forward in flows), flows)


def check_instants(engine, crumbs):
    kinds = Counter(c["kind"] for c in crumbs if c["kind"] != "ui-work")
    seen = Counter()
    for category, count in engine.rows(
            "select category, count() from slice join thread_track on track_id = thread_track.id"
            " where dur = 0 group by 1"):
        seen[category.split(",")[0]] += count
    equal("each other crumb is an instant of its thread",
          {kind: seen[kind] for kind in kinds}, dict(kinds))
    seen = engine.rows("select ts, name from slice where category glob 'note*'")
    check("instants stand at their crumb's time", same_times(
        seen, [(c["monotonic"], c["message"]) for c in crumbs if c["kind"] == "note"]), len(seen))


def check_data(engine, crumbs):
    expected = Counter()
    for crumb in crumbs:
        if crumb["kind"] == "note":
            for pair in crumb["data"]:
                expected[pair["key"], str(pair["value"])] += 1
    seen = Counter({(key, value): count for key, value, count in engine.rows(
        "select substr(key, 7), coalesce(string_value, cast(int_value as text)), count()"
        " from slice join args using (arg_set_id)"
        " where category glob 'note*' and key not glob 'debug.crumb.*' group by 1, 2")})
    equal("notes carry their data", seen, expected)


def check_queues(engine, crumbs):
    expected = Counter(c["queue"]["label"] for c in crumbs if c["queue"])
    expected["main queue"] = expected.pop("com.apple.main-thread", 0)
    seen = Counter(dict(engine.rows(
        "select track.name, count() from slice join track on track_id = track.id"
        " where category = 'queue' group by 1")))
    equal("each queue is a track with its crumbs", seen, expected)


def check_spans(engine):
    phases = engine.rows("select name, ts, dur from slice where category = 'phase' order by ts")
    equal("the lifecycle is a track of slices",
          [row[0] for row in phases], ["running", "active", "background"])
    check("one phase ends where the next begins", all(
        a[1] + a[2] == b[1] for a, b in zip(phases, phases[1:])), phases)
    hangs = engine.rows("select dur from slice where category = 'hang'")
    check("a hang is one slice, as long as it lasted",
          len(hangs) == 1 and 700e6 <= hangs[0][0] < 60e9, hangs)


def check_violations(engine, crumbs):
    violations = [c for c in crumbs if c["kind"] == "violation"]
    first = engine.rows(
        "select string_value from slice join args using (arg_set_id)"
        " where category glob 'violation*' and key = 'debug.stack[0]'")
    equal("each violation has its stack", len(first), len(violations))
    equal("its innermost frame is the function that was called", {
        row[0].split(" at ")[0] for row in first} & {"Stage.Board.show(_:)"},
        {"Stage.Board.show(_:)"})
    origins = engine.rows(
        "select string_value from slice join args using (arg_set_id)"
        " where category glob 'violation*' and key glob 'debug.origin stack*'"
        " and string_value glob '*sendAstray*'")
    check("a violation that a hop brought says who sent it", len(origins) > 0, origins)
    crash = engine.rows(
        "select name, string_value from slice join args using (arg_set_id)"
        " where category = 'crash' and key = 'debug.said'")
    check("the crash is there, with what was said", len(crash) == 1
          and crash[0][0] == "crash: SIGILL" and "told to crash" in crash[0][1], crash)


def check_everything():
    log = log_of(
        "all.log", "active", "note hällo; \u202e <b>", "fill 500", "violate", "stray", "astray", "work",
        "hop 20", "threads 5", "hang 1000", "wait 300", "background", "violate", "crash")
    document = shown(log)
    crumbs = document["crumbs"]
    trace = trace_of(log)
    print("the log of a service that does everything:")
    check_schema(trace)
    with Engine(FOLDER, trace) as engine:
        equal("it is read without an error", errors(engine), [])
        check_threads(engine, crumbs, document)
        check_work(engine, crumbs)
        check_hops(engine, crumbs)
        check_instants(engine, crumbs)
        check_data(engine, crumbs)
        check_queues(engine, crumbs)
        check_spans(engine)
        check_violations(engine, crumbs)


def check_bulk(count=100_000, unique=40_000):
    log = log_of("bulk.log", f"fill {count}", f"unique {unique}", capacity=128 << 20)
    trace = trace_of(log)
    print(f"a log of {count + unique} crumbs, {unique} with a text of their own:")
    with Engine(FOLDER, trace) as engine:
        equal("it is read without an error", errors(engine), [])
        equal("no crumb is missing", engine.value(
            "select count() from slice join thread_track on track_id = thread_track.id"
            " where category glob 'note*' or category glob 'hop*' or category glob 'ui-work*'"),
            count + unique)
        equal("texts that were begun anew stay what they were", engine.value(
            "select count(distinct name) from slice where category = 'note,unique'"), unique)
        equal("no flow is missing", engine.value("select count() from flow"), engine.value(
            "select count() from slice where category glob 'hop*' and name glob '*run'"))


def check_misbehaviour():
    print("the logs of programs that misbehave:")
    for way in ["observed-callback", "background-layout", "queue-trap", "hop-storm", "expired-task"]:
        log = os.path.join(SCRATCH, way + ".log")
        subprocess.run([MISBEHAVE, way, "wrong", log], capture_output=True, timeout=60,
                       env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
        with Engine(FOLDER, trace_of(log)) as engine:
            equal(f"{way} is read without an error", errors(engine), [])


# MARK: What flame graphs are made of


def check_stacks():
    log = log_of("stacks.log", "violate", "violate", "stray", "astray", "fill 100")
    crumbs = [c for c in shown(log)["crumbs"] if c["kind"] == "violation"]
    print("the stacks of violations:")
    text = crashscan("report", log, "--format", "collapsed")
    lines = stacks.collapsed(text)
    equal("collapsed stacks weigh one a violation", sum(lines.values()), len(crumbs))
    check("the outermost frame comes first", all(
        not stack[0].startswith("Stage.") and "Stage." in stack[-1] for stack in lines), lines)
    joined = [stack for stack in lines if "Stage.sendAstray()" in stack]
    joints = [[frame.startswith("[") for frame in stack].index(True) for stack in joined
              if any(frame.startswith("[") for frame in stack)]
    check("the place that sent a hop stands above the code's own frames", len(joints) == 1
          and joined[0].index("Stage.sendAstray()") < joints[0]
          and joined[0][-1] == "Stage.Board.show(_:)", lines)
    check_flame_graph(text, crumbs)
    document = json.loads(crashscan("report", log, log, "--format", "speedscope"))
    equal("speedscope's format is kept", stacks.complaints(document), [])
    equal("each input is a profile, each violation a sample",
          [len(p["samples"]) for p in document["profiles"]], [len(crumbs)] * 2)
    names = [frame["name"] for frame in document["shared"]["frames"]]
    equal("both formats have the same stacks", Counter(
        tuple(names[i] for i in s) for s in document["profiles"][0]["samples"]),
        Counter({tuple(part.replace(":", ";") if ";" in part else part for part in stack): count
                 for stack, count in lines.items()}))


def check_flame_graph(text, crumbs):
    script = os.environ.get("FLAMEGRAPH")
    if not script or not shutil.which("perl"):
        return print("  left out: flamegraph.pl cannot be had here")
    made = subprocess.run(["perl", script], input=text, capture_output=True, text=True)
    total = re.search(r"<title>all \(([\d,]+) samples", made.stdout)
    check("flamegraph.pl draws all of them", made.returncode == 0 and "Ignored" not in made.stderr
          and total and int(total[1].replace(",", "")) == len(crumbs), made.stderr or made.stdout[:200])


try:
    check_stacks()
    if FOLDER:
        from engine import Engine
        check_everything()
        check_bulk()
        check_misbehaviour()
    else:
        print("left out: what needs Perfetto's engine, which cannot be had here")
finally:
    shutil.rmtree(SCRATCH, ignore_errors=True)
print(f"{OUTCOMES['passed']} passed, {OUTCOMES['failed']} failed")
sys.exit(OUTCOMES["failed"] > 0)
