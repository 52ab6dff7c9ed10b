"""Runs a service as small containers do, crashes it there, and reads what it left.

    python3 Tests/Checks/SmallContainers PROGRAM CRASHSCAN WORK [SCENE… | page]

PROGRAM is `mainstay-trial`, its Swift runtime linked into it. Each scene is a root with nothing but the program and the
libraries that it is linked with: no shell, no libunwind. What it prints of each is what a user would see. It fails where a
service does not start, does not go on, or its report does not name the line. Last, or for `page` alone, what
docs/deploying.md tells a reader to do (deploy.py).
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import deploy

HERE = pathlib.Path(__file__).parent
LOG = "/logs/service.log"
STATIC = "messages of the Swift runtime are not recorded"
NO_PROC = "a crash has no other threads, and only the main queue is watched for hangs"
NO_COPIES = "waiting tasks are not listed"
PLAIN = dict(proc=True, readonly=False, user=0, seccomp=False, forbidden=[], lacks=[STATIC], tmpfs=None, volume=False, overlay=False, first=True,
             memory=0, log=LOG, words=["crash"], environment={}, says=None, finds=True, status=[139])

# What each scene has that the plain one has not. `says` is what the service prints of itself; `finds` whether there is
# a log to read; `lacks` the features that are off, which start() and the report must name, and no others.
SCENES = {
    "slim": dict(),
    "trap": dict(words=["trap"], status=[132, 133]),
    # The kernel lets no default action end a first process: abort() ends by an instruction that is not allowed.
    "abort": dict(words=["abort"], status=[139]),
    "abort below an init": dict(words=["abort"], status=[134], first=False),
    "below an init": dict(first=False),
    "no /proc": dict(proc=False, lacks=[STATIC, NO_PROC]),
    "a user that nobody knows": dict(user=61234, volume=True),
    "read-only root, a volume for the log": dict(readonly=True, volume=True),
    "read-only root, no volume": dict(readonly=True, finds=False, says="memory"),
    "seccomp's default profile": dict(seccomp=True),
    "seccomp without process_vm_readv": dict(seccomp=True, forbidden=["process_vm_readv"], lacks=[STATIC, NO_COPIES]),
    "64 MB": dict(memory=64 << 20),
    "overlayfs": dict(overlay=True),
    "tmpfs": dict(tmpfs="size=64m"),
    "tmpfs that is too small": dict(tmpfs="size=512k", finds=False, says="memory"),
    "a folder that is not there": dict(log="/nowhere/service.log", finds=False, says="memory"),
    "all of it": dict(proc=False, readonly=True, volume=True, user=61234, seccomp=True, memory=64 << 20,
                      lacks=[STATIC, NO_PROC]),
}


def libraries(program):
    listed = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    return sorted(set(re.findall(r"(/\S+\.so\S*)", listed)))


def make_root(root, program):
    shutil.rmtree(root, ignore_errors=True)
    for folder in ("logs", "proc", "service"):
        (root / folder).mkdir(parents=True)
    shutil.copy(program, root / "service/service")
    for library in libraries(program):
        place = root / library.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(os.path.realpath(library), place)


def make_cgroup(limit):
    """A group whose processes have no more memory; None where this system lets nobody make one."""
    for parent, name in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
        group = pathlib.Path(parent, f"mainstay-{os.getpid()}")
        try:
            group.mkdir(exist_ok=True)
            (group / name).write_text(str(limit))
            return group
        except OSError:
            continue
    return None


def run(name, scene, program, work):
    root, volume, scratch, merged = (work / part for part in ("root", "volume", "scratch", "merged"))
    make_root(root, program)
    for folder in (volume, scratch, merged):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    volume.chmod(0o777)
    group = make_cgroup(scene["memory"]) if scene["memory"] else None
    if scene["memory"] and group is None:
        return None, None
    keep = scene["tmpfs"] and scene["finds"]
    told = dict(scene, root=str(root), scratch=str(scratch), merged=str(merged), cgroup=group and str(group),
                volume=str(volume) if scene["volume"] else None, command=["/service/service"],
                environment={"SWIFT_BACKTRACE": "enable=no",
                             "MAINSTAY_TRIAL": " ".join([scene["log"], "start", "violate", *scene["words"]])})
    command = ["unshare", "--mount", "--pid", "--fork", "--propagation", "private"]
    if keep:  # the file system goes with its namespace: it is made here, and shared
        subprocess.run(["mount", "-t", "tmpfs", "-o", scene["tmpfs"], "tmpfs", root / "logs"], check=True)
        told["tmpfs"] = None
        command = ["unshare", "--mount", "--pid", "--fork", "--propagation", "slave"]
        told["root"] = str(root)
    try:
        done = subprocess.run([*command, sys.executable, HERE / "inside.py", json.dumps(told)], text=True,
                              capture_output=True, timeout=60)
    finally:
        if group:
            group.rmdir()
    log = next((found for place in (volume, scratch / "upper/logs", root / "logs")
                for found in [place / "service.log"] if found.exists()), None)
    kept = work / f"{re.sub('[^a-z0-9]+', '-', name)}.log"
    kept.unlink(missing_ok=True)
    if log:
        shutil.copy(log, kept)
    if keep:
        subprocess.run(["umount", root / "logs"], check=True)
    return done, kept if log else None


def missing(text, words):
    """The features that a text names as off."""
    said = re.search(rf"{words} less than usual: (.*?)(?: \(docs/|\n\n|$)", text, re.DOTALL)
    return set(" ".join(said[1].split()).split("; ")) if said else set()


def judge(scene, done, log, crashscan, program):
    """What is wrong, and what crashscan says."""
    wrong = []
    status = 128 - done.returncode if done.returncode < 0 else done.returncode
    if status not in scene["status"]:
        wrong.append(f"it ended with {done.returncode}")
    destination = done.stdout.split("\n", 1)[0]
    expected = scene["says"] or f"file {scene['log']}"
    if destination != expected:
        wrong.append(f"it records to “{destination}”, not “{expected}”")
    if missing(done.stderr, "this process records") != set(scene["lacks"]):
        wrong.append(f"start() does not say “{'; '.join(scene['lacks'])}”")
    if scene["says"] and "mainstay: cannot record to" not in done.stderr:
        wrong.append("it does not say why on standard error")
    if not scene["finds"]:
        return wrong, done.stderr
    if log is None:
        return [*wrong, "it left no log"], done.stderr
    read = subprocess.run([crashscan, log, "--symbols", os.path.dirname(program)], capture_output=True, text=True)
    if read.returncode != 1:
        wrong.append(f"crashscan ended with {read.returncode}")
    if missing(read.stdout, "This run recorded") != set(scene["lacks"]):
        wrong.append("the report does not say the same as start()")
    # The program has another name there, and is found by its build id.
    if "have no symbols" in read.stdout:
        wrong.append("the report does not name its frames")
    for needed in ("main.swift", "the trial's check"):
        if needed not in read.stdout:
            wrong.append(f"the report has no “{needed}”")
    return wrong, read.stdout + read.stderr


def follows_page(program, crashscan, work):
    try:
        deploy.check(program, crashscan, work)
    except deploy.Wrong as wrong:
        print(f"== docs/deploying.md: FAILED: {wrong}\n")
        return False
    print()
    return True


def main():
    program, crashscan, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    chosen = sys.argv[4:] or [*SCENES, "page"]
    work.mkdir(parents=True, exist_ok=True)
    if subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True).returncode != 0:
        sys.exit(print("small-containers: left out, for who runs this may make no namespaces"))
    print(f"linked with: {' '.join(os.path.basename(library) for library in libraries(program))}\n")
    failed = 0
    for name in chosen:
        if name == "page":
            failed += not follows_page(program, crashscan, work)
            continue
        scene = PLAIN | SCENES[name]
        done, log = run(name, scene, program, work)
        if done is None:
            print(f"== {name}: left out, no memory limit can be set here\n")
            continue
        wrong, text = judge(scene, done, log, crashscan, program)
        failed += bool(wrong)
        print(f"== {name}: {'FAILED: ' + '; '.join(wrong) if wrong else 'ok'}\n")
        print("".join(f"   {line}\n" for line in text.strip().split("\n")))
        if wrong:
            print(done.stdout + done.stderr)
    print(f"{len(chosen)} scenes, {failed} failed")
    sys.exit(failed > 0)


main()
