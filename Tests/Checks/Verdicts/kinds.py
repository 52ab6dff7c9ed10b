"""What the words of a headline say: how it ended, the kind of death, the link to queues and threads."""

import re

# How a run ended, by the line above the findings.
ENDINGS = [
    ("asked to end, then killed", r"asked to end by .*, did not exit, and was killed"),
    ("asked to end", r"shut down on request|asked to end"),
    ("exited normally", r"exited normally"),
    ("exited with status {}", r"exited with status (\d+)"),
    ("hung, then killed", r"hung and was then killed"),
    ("out of memory", r"killed for lack of memory|killed: out of memory"),
    ("killed", r"ended abruptly|was killed"),
    ("crashed", r"crashed|died"),
]  # fmt: skip

# The kinds of death, by how a headline begins.
KINDS = [
    ("unwrapped-nil", r"Nil was unwrapped"),
    ("out-of-bounds", r"Index out of range"),
    ("overflow", r"Arithmetic overflow"),
    ("division-by-zero", r"Division by zero"),
    ("lost-value", r"A number does not fit its type"),
    ("failed-cast", r"A forced cast failed"),
    ("uncaught-error", r"An error was not caught"),
    ("exclusivity", r"Two overlapping accesses to one variable"),
    ("dead-reference", r"An unowned reference outlived its object"),
    ("freed-object", r"An object was used after it was freed|An object was retained during its deinit"),
    ("event-loop-wait", r"A blocking wait on an event loop"),
    ("event-loop-check", r"An event loop check failed|The process died in a check of its event loop"),
    ("queue-check", r"The process died in a check of (a queue|the main queue|queue )"),
    ("thread-check", r"The process died in a check of (thread |the thread that owns)"),
    ("isolation-check", r"The process died in a check of (an actor|the main actor|actor )"),
    ("continuation-resumed-twice", r"A continuation was resumed twice"),
    ("leaked-continuation", r"A continuation was never resumed"),
    ("leaked-promise", r"A promise was never fulfilled"),
    ("own-deadlock", r"A queue waited for itself"),
    ("deadlock", r"Two threads waited for each other|Two queues waited for each other"),
    ("pool-deadlock", r"All threads of the pool waited"),
    ("blocked-loop", r"An event loop was blocked"),
    ("precondition", r"A precondition failed"),
    ("assertion", r"An assertion failed"),
    ("fatal-error", r"Fatal error"),
    ("uncaught-exception", r"An exception was not caught"),
    ("heap-corruption", r"The heap is damaged"),
    ("c-assertion", r"A C assertion failed"),
    ("stack-overflow", r"Stack overflow"),
    ("null", r"SIGSEGV through a null pointer"),
    ("bad-access", r"SIGSEGV, bad memory access"),
    ("unreadable-mapping", r"SIGBUS, unreadable mapped memory"),
    ("bad-system-call", r"SIGSYS, a system call that is not allowed"),
    ("illegal-instruction", r"SIGILL, illegal instruction"),
    ("died-while-exiting", r"Died while exiting"),
    ("out-of-memory", r"Out of memory"),
    ("aborted", r"SIGABRT, abort"),
    ("violation", r"“.*” .*ran on"),
]  # fmt: skip

# Links, by the evidence that names each.
LINKS = [
    ("none", r"^no link between this crash and queues was recorded"),
    ("check", r"^the check itself failed|inside a check$"),
    ("claim", r"^the crash message is about"),
    ("same path", r"^on this crash's stack, "),
    ("second thread", r"was in the same function at that moment"),
    ("circle", r"^the queue waits for itself|^both waited at the same moment|^each waits for the other"),
]  # fmt: skip


def ending(text):
    for name, words in ENDINGS:
        found = re.search(words, text)
        if found:
            return name.format(*found.groups())
    return f"“{text}”"


# The kinds that a rule has by itself.
RULES = {"leaked-continuation": "leaked-continuation", "loop-blocked": "blocked-loop", "pool-blocked": "blocked-pool",
         "main-blocked": "blocked-main"}  # fmt: skip


def kind(headline, rule=None):
    if rule in RULES:
        return RULES[rule]
    for name, words in KINDS:
        if re.match(words, headline):
            return name
    return f"“{headline}”"


def links(finding):
    # A broken affinity is a check that failed by itself.
    own = {"check"} if finding["rule"] in ("wrong-executor", "off-main-ui") else set()
    return own | {name for name, words in LINKS for evidence in finding["evidence"]
            if re.search(words, evidence["text"])}  # fmt: skip
