"""The examples of the rules, as `crashscan rules` prints them, made whole programs."""

import re

# What an example says of names that are its own, in front of it.
SETUP = {
    "hop-overtaken": [
        'let first = MainHop(board, "rows", delivery: .always)',
        'let second = MainHop(board, "done")', 'let old = ["old"]',
    ],
    "blocking-call": ["try! BlockingCalls.report(to: recorder)"],
    "affinity-drift": ["typealias Row = String"],
}  # fmt: skip


# What no rule's example shows. The last five are those for which code would do harm: each runs on as it is, and
# would hang or read too early if what it does off its place were sent there.
MORE = {
    "async-code": """\
Task {
  let rows = await store.rows()
  board.show(rows)
}
""",
    "never-returns": """\
worker.async { kiosk.serve() }
""",
    "waits-for-main": """\
download.start { rows in
  let asked = DispatchSemaphore(value: 0)
  DispatchQueue.main.async { asked.signal() }
  asked.wait()
  board.show(rows)
}
""",
    "waits-inside": """\
download.start { rows in
  kiosk.ask()
  board.show(rows)
}
""",
    "reads-after-writing": """\
DispatchQueue.global().async {
  repository.save(["apples"])
  let count = repository.count
  if count != 1 { abort() }
}
""",
    "sync-that-writes": """\
queue.async {
  queue.sync { ledger.balance = 7 }
  if ledger.balance != 7 { abort() }
}
""",
}


def examples(markdown):
    """Each rule's example that is a program, by the rule's id, and more of them by a name of their own."""
    found = re.findall(r"^## ([a-z-]+)\n.*?^It finds:\n\n```swift\n(.*?)```", markdown, re.M | re.S)
    return dict(found) | MORE


def program(examples):
    """A Swift file with a function for each example, which the first argument chooses."""
    lines = ["import BlockingCalls", "import Breadcrumbs", "import CrashCapture", "import Dispatch", "import Glibc",
             "import ThreadAffinity", ""]  # fmt: skip
    for rule, code in examples.items():
        lines += [f"func {function(rule)}() {{"]
        lines += ["  " + line for line in SETUP.get(rule, [])]
        code = re.sub(r"^(@MainQueueBound.*?) var ", r"\1 nonisolated(unsafe) var ", code, flags=re.M)
        if re.search(r"^await ", code, re.M):
            code = f"Task {{\n{code}}}\n"
        lines += ["  " + line if line else "" for line in code.rstrip("\n").split("\n")]
        lines += ["}", ""]
    lines += ["let examples: [String: @Sendable () -> Void] = ["]
    lines += [f'  "{rule}": {{ {function(rule)}() }},' for rule in examples]
    lines += [
        "]", "CrashHandler.install(recordingTo: recorder)",
        "recorder.recordLifecycle(.didBecomeActive)",
        "DispatchQueue.main.async { examples[CommandLine.arguments[1]]!() }",
        "DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(2)) { exit(0) }",
        "dispatchMain()", "",
    ]  # fmt: skip
    return "\n".join(lines)


def function(rule):
    return "example" + "".join(word.capitalize() for word in rule.split("-"))
