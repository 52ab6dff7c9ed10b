"""Checks `crashscan watch` as its users have it: on a terminal, which tmux is, and in a pipe.

check.py PROGRAMS   where PROGRAMS holds crashscan and driven-service
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter

PROGRAMS = os.path.abspath(sys.argv[1])
SCRATCH = tempfile.mkdtemp(prefix="mainstay-watch-")
SOCKET = f"mainstay-{os.getpid()}"
OUTCOMES = Counter()


def check(what, holds, seen=""):
    OUTCOMES["passed" if holds else "failed"] += 1
    print(("  holds: " if holds else "  FAILS: ") + what, flush=True)
    if not holds:
        print("    seen: " + str(seen).replace("\n", "\n    "), flush=True)


# Nothing is measured by it: what has not come by then does not come.
PATIENCE = 600


def comes(condition):
    """Whether something comes to hold; nothing here depends on how soon."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


class Service:
    """A service that does what it is told."""

    def __init__(self, log, capacity=1 << 20):
        self.process = subprocess.Popen(
            [f"{PROGRAMS}/driven-service", log, str(capacity)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1)

    def do(self, *commands):
        for command in commands:
            self.begin(command)
            self.hear()

    def begin(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()

    def hear(self):
        """Waits until it has done what was begun."""
        self.process.stdout.readline()

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait()

    def exit(self):
        self.process.stdin.close()
        self.process.wait()


class Screen:
    """A terminal with a shell in it."""

    def __init__(self, name, width=120, height=36, environment=()):
        self.name = name
        tmux("new-session", "-d", "-s", name, "-x", str(width), "-y", str(height),
             *[part for setting in ("LANG=C.UTF-8", "PS1=ready>", *environment)
               for part in ("-e", setting)],
             "sh")
        self.start = self.state()

    def watch(self, log, *options):
        self.type(f"{PROGRAMS}/crashscan watch {log} {' '.join(options)}; echo status $?", "Enter")

    def type(self, *keys):
        tmux("send-keys", "-t", self.name, *keys)

    def text(self, *options):
        return tmux("capture-pane", "-p", "-t", self.name, *options)

    def shows(self, *texts):
        return comes(lambda: all(text in self.text() for text in texts))

    def lacks(self, text):
        return comes(lambda: text not in self.text())

    def resize(self, width, height):
        tmux("resize-window", "-t", self.name, "-x", str(width), "-y", str(height))

    def asks(self, format):
        return tmux("display-message", "-p", "-t", self.name, format).strip()

    def state(self):
        """The line discipline, the alternate screen, the cursor."""
        terminal = self.asks("#{pane_tty}")
        modes = subprocess.run(["stty", "-F", terminal, "-a"], capture_output=True, text=True).stdout
        flags = [word for word in modes.split() if re.fullmatch(r"-?(icanon|echo|isig);?", word)]
        return flags, self.asks("#{alternate_on} #{cursor_flag}")

    def is_restored(self):
        return comes(lambda: self.state() == self.start)

    def process(self):
        """The watch that runs in it."""
        shell = self.asks("#{pane_pid}")
        found = subprocess.run(
            ["pgrep", "-P", shell, "crashscan"], capture_output=True, text=True).stdout.split()
        return int(found[0]) if found else None

    def close(self):
        tmux("kill-session", "-t", self.name)


def tmux(*arguments):
    """Says what tmux answers; a check of what a failed command left out would blame the wrong one."""
    done = subprocess.run(
        ["tmux", "-L", SOCKET, "-f", "/dev/null", *arguments], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"tmux {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def log_named(name):
    return os.path.join(SCRATCH, name)


# MARK: On a terminal


def check_sight():
    print("what is seen:")
    log = log_named("sight.log")
    screen = Screen("sight")
    screen.watch(log)
    check("a log that is not there yet is waited for", screen.shows("waiting for a service"),
          screen.text())
    service = Service(log)
    check("the service is noticed", screen.shows(f"process {service.process.pid}", "running for"),
          screen.text())
    service.do("active", "hop 20", "violate", "threads 3", "note hello out there")
    check("crumbs are shown as they are left", screen.shows("told: hello out there"), screen.text())
    check("so are the phase and violations", screen.shows(
        "active", "violations 1", "“board layout” in show(_:)"), screen.text())
    check("hops have a histogram", screen.shows("half within", "█"), screen.text())
    check("queues and threads are listed", screen.shows(
        "com.example.worker", "main queue", f"{service.process.pid}"), screen.text())
    service.do("note \x1b[31mred\x07 \u202e漢字")
    check("texts cannot steer the terminal", screen.shows("\\u{1B}[31mred\\u{7} \\u{202E}漢字"),
          screen.text())
    check("wide characters do not break lines", all(
        cells(line) <= 120 for line in screen.text().splitlines()), screen.text())
    seen = log_named("hang.seen")
    service.begin(f"hold {seen}")
    check("a hang is told while it lasts", screen.shows("does not answer for"), screen.text())
    open(seen, "w").close()
    service.hear()
    check("and its end", screen.lacks("does not answer for"), screen.text())
    check_views(screen)
    check_filters(screen, service)
    check_pause(screen, service)
    check_sizes(screen, service)
    service.kill()
    check("the death of the service is told", screen.shows("was killed"), screen.text())
    second = Service(log)
    second.do("note of the second run")
    check("the next run is noticed", screen.shows(
        f"process {second.process.pid}", "run 2", "of the second run"), screen.text())
    second.exit()
    check("a clean end is told", screen.shows("exited normally"), screen.text())
    screen.type("q")
    check("q quits with the verdict's status", screen.shows("status 0"), screen.text())
    check("the terminal is as it was", screen.is_restored(), (screen.state(), screen.start))
    check("what stood there before is back", "crashscan watch" in screen.text(), screen.text())
    screen.close()


def cells(line):
    return sum(2 if 0x2E80 <= ord(c) <= 0xFFEF else 1 for c in line)


def check_views(screen):
    for key, title in [("2", "crumbs"), ("3", "violations"), ("4", "threads"), ("5", "queues"),
                       ("6", "hops, from arrival")]:
        screen.type(key)
        check(f"{key} shows {title}", comes(
            lambda: screen.text().splitlines()[3].startswith(f"── {title}")), screen.text())
    screen.type("?")
    check("? explains the keys", screen.shows("press any key to close", "Ctrl-Z"), screen.text())
    screen.type("x")
    screen.type("2")
    check("and any key leads back", screen.lacks("press any key to close"), screen.text())


def check_filters(screen, service):
    service.do("note needle", "note other")
    for key, typed, seen, unseen in [
            ("/", "NEEDLE", "told: needle", "told: other"),
            ("c", "hop", "hop: run", "told: other"),
            ("t", "no such thread", "only thread", "told: other")]:
        screen.type(key)
        screen.type("-l", typed)
        screen.type("Enter")
        check(f"{key} shows only what matches", screen.shows(seen) and screen.lacks(unseen),
              screen.text())
        screen.type("Escape")
        check("escape shows all again", screen.shows("told: other"), screen.text())


def check_pause(screen, service):
    screen.type("Space")
    check("a pause is shown", screen.shows("PAUSED"), screen.text())
    service.do("note while it was paused")
    time.sleep(0.5)
    check("and nothing moves", "while it was paused" not in screen.text(), screen.text())
    screen.type("Space")
    check("then all of it comes", screen.shows("while it was paused"), screen.text())
    service.do(*[f"note line {number}" for number in range(80)])
    screen.shows("line 79")
    screen.type("PageUp")
    check("page up shows older ones, and stands still",
          screen.shows("PAUSED", "line 30") and screen.lacks("line 79"), screen.text())
    screen.type("G")
    check("the end goes on", screen.shows("line 79") and screen.lacks("PAUSED"), screen.text())


def check_sizes(screen, service):
    screen.type("1")
    for width, height in [(200, 50), (60, 20), (30, 8), (10, 4), (120, 36)]:
        screen.resize(width, height)
        expected = "too small" if width < 24 else "crumbs"
        check(f"{width} by {height} is filled and not left", comes(
            lambda: expected in screen.text() and screen.asks("#{pane_width}") == str(width)
            and len(screen.text().splitlines()) <= height), screen.text())
    check("and it draws anew", screen.shows("running for", "q quit"), screen.text())


def check_ends():
    print("however it ends, the terminal is as it was:")
    log = log_named("ends.log")
    service = Service(log)
    service.do("note here")
    screen = Screen("ends")
    ways = [("Ctrl-C", lambda: screen.type("C-c"), "status 0"),
            ("SIGTERM", lambda: os.kill(screen.process(), signal.SIGTERM), "status 0"),
            ("SIGHUP", lambda: os.kill(screen.process(), signal.SIGHUP), "status 0"),
            ("a crash", lambda: os.kill(screen.process(), signal.SIGSEGV), "status 139")]
    for name, end, status in ways:
        screen.type("clear", "Enter")
        screen.watch(log)
        screen.shows("running for")
        taken = screen.state()
        check(f"it takes the terminal, before {name}", taken != screen.start, taken)
        end()
        check(f"{name} ends it", screen.shows(status), screen.text())
        check("and gives the terminal back", screen.is_restored(), (screen.state(), screen.start))
    check_stop(screen, log)
    screen.close()
    service.exit()


def check_stop(screen, log):
    screen.type("clear", "Enter")
    screen.watch(log)
    screen.shows("running for")
    screen.type("C-z")
    check("Ctrl-Z stops it", screen.shows("Stopped"), screen.text())
    check("and gives the terminal back", screen.is_restored(), (screen.state(), screen.start))
    screen.type("fg", "Enter")
    check("fg goes on", screen.shows("running for", "q quit") and screen.state() != screen.start,
          screen.text())
    screen.type("q")
    check("and quits as ever", screen.is_restored(), screen.state())


def check_looks():
    print("colours and terminals:")
    log = log_named("looks.log")
    service = Service(log)
    service.do("violate", "note here")
    colours = re.compile(r"\x1b\[[0-9;]*(3[0-7]|1|2)m")
    for environment, options, expected in [((), (), True), (("NO_COLOR=1",), (), False),
                                           ((), ("--no-color",), False)]:
        screen = Screen("looks", environment=environment)
        screen.watch(log, *options)
        screen.shows("running for", "board layout")
        check(f"colours: {expected}, with {environment or options or 'nothing said'}",
              bool(colours.search(screen.text("-e"))) == expected, screen.text("-e"))
        screen.close()
    screen = Screen("dumb")
    screen.type("export TERM=dumb", "Enter")
    screen.watch(log)
    check("a dumb terminal has lines", screen.shows("violation: board layout")
          and screen.state()[1].startswith("0"), screen.text())
    screen.close()
    screen = Screen("ascii", environment=("LC_ALL=C",))
    screen.watch(log)
    screen.shows("running for")
    check("without UTF-8 it keeps to ASCII", screen.text().isascii() and "-- " in screen.text(),
          screen.text())
    screen.close()
    service.exit()


# MARK: In a pipe


def watch_lines(log, *options):
    return subprocess.Popen(
        [f"{PROGRAMS}/crashscan", "watch", log, *options], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)


def check_lines():
    print("lines, where there is no terminal:")
    log = log_named("lines.log")
    watch = watch_lines(log)
    check("it waits for a log that is not there", "waiting for" in watch.stderr.readline())
    service = Service(log)
    service.do("active", *[f"note number {number}" for number in range(50)], "violate")
    lines = []
    while not lines or "violation" not in lines[-1]:
        lines.append(watch.stdout.readline())
    numbers = [int(n) for line in lines for n in re.findall(r"told: number (\d+)", line)]
    check("each crumb is a line, at once, in order", numbers == list(range(50)), "".join(lines))
    files = [f"/proc/{watch.pid}/fdinfo/{file}" for file in os.listdir(f"/proc/{watch.pid}/fd")
             if os.path.realpath(f"/proc/{watch.pid}/fd/{file}") == os.path.realpath(log)]
    modes = [re.search(r"flags:\s*(\d+)", open(file).read())[1] for file in files]
    mapped = "lines.log" in open(f"/proc/{watch.pid}/maps").read()
    check("the log is open for reading only, and not mapped",
          modes and all(int(mode, 8) & 3 == 0 for mode in modes) and not mapped, (modes, mapped))
    service.kill()
    check("it ends with the service, and says how", watch.wait(PATIENCE) == 1
          and "was killed" in watch.stderr.read(), watch.returncode)
    check_endings(log)
    check_following(log)
    broken = log_named("no-log")
    open(broken, "w").write("this is no log" * 1000)
    check("what is no log is refused", watch_lines(broken).wait(PATIENCE) == 2)


def check_endings(log):
    for name, end, status, verdict in [
            ("exit", lambda service: service.exit(), 0, "exited normally"),
            ("SIGTERM", lambda service: service.kill(signal.SIGTERM), 0, "SIGTERM"),
            ("crash", lambda service: (service.process.stdin.write("crash\n"),
                                       service.process.stdin.flush(), service.process.wait()),
             1, "crashed, SIGILL")]:
        service = Service(log)
        service.do("note the last words")
        watch = watch_lines(log, "--last", "100", "--text", "words")
        watch.stdout.readline()
        end(service)
        output, errors = watch.communicate(timeout=PATIENCE)
        check(f"after {name} the status is {status}", watch.returncode == status
              and verdict in errors, (watch.returncode, output, errors))


def check_following(log):
    first = Service(log)
    first.do("note one")
    watch = watch_lines(log, "--follow", "--category", "told")
    seen = [watch.stdout.readline()]
    first.kill()
    second = Service(log)
    second.do("note two")
    seen.append(watch.stdout.readline())
    check("--follow goes on with the next run", "told: one" in seen[0] and "told: two" in seen[1],
          seen)
    watch.send_signal(signal.SIGINT)
    check("until Ctrl-C", watch.wait(PATIENCE) == 0)
    second.exit()


def check_flood():
    print("a flood:")
    log = log_named("flood.log")
    service = Service(log, 8 << 20)
    screen = Screen("flood")
    screen.watch(log)
    screen.shows("running for")
    service.do("flood 100000 4")
    with open(f"/proc/{screen.process()}/status") as status:
        memory = int(re.search(r"VmHWM:\s*(\d+)", status.read())[1]) >> 10
    check(f"of a hundred thousand crumbs a second takes little memory ({memory} MiB)", memory < 256)
    service.do("violate")
    check("and the story is not lost in it", screen.shows("violations 1", "flood: tick"),
          screen.text())
    screen.type("q")
    check("nor is a key", screen.is_restored(), screen.text())
    screen.close()
    service.exit()


# A server that ends with its last session may end while the next one comes to it.
tmux("start-server", ";", "set-option", "-g", "exit-empty", "off")
try:
    check_sight()
    check_ends()
    check_looks()
    check_lines()
    check_flood()
finally:
    tmux("kill-server")
    shutil.rmtree(SCRATCH, ignore_errors=True)
print(f"{OUTCOMES['passed']} passed, {OUTCOMES['failed']} failed")
sys.exit(OUTCOMES["failed"] > 0)
