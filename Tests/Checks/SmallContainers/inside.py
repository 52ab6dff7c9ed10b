"""Becomes a service in a small container: `inside.py JSON`, as the first process of namespaces of its own.

It mounts what the scene has, gives up what the scene forbids, and becomes the program.
"""

import ctypes
import json
import os
import subprocess
import sys

import seccomp

scene = json.loads(sys.argv[1])
root = scene["root"]


def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)


if scene["overlay"]:
    upper = scene["scratch"]
    for folder in ("upper", "work"):
        os.makedirs(f"{upper}/{folder}", exist_ok=True)
    mount("-t", "overlay", "overlay", "-o", f"lowerdir={root},upperdir={upper}/upper,workdir={upper}/work",
          scene["merged"])
    root = scene["merged"]
else:
    mount("--rbind", root, root)
if scene["volume"]:
    mount("--bind", scene["volume"], f"{root}/logs")
if scene["tmpfs"]:
    mount("-t", "tmpfs", "-o", scene["tmpfs"], "tmpfs", f"{root}/logs")
if scene["proc"]:
    mount("-t", "proc", "proc", f"{root}/proc")
if scene["readonly"]:
    mount("-o", "remount,bind,ro", root)
if scene["cgroup"]:
    with open(f"{scene['cgroup']}/cgroup.procs", "w") as file:
        file.write("0")
os.chroot(root)
os.chdir("/")
if scene["user"]:
    os.setgroups([])
    os.setgid(scene["user"])
    os.setuid(scene["user"])
if scene["seccomp"]:
    seccomp.install(ctypes.CDLL(None, use_errno=True), scene["forbidden"])
program = scene["command"][0]
if scene["first"]:
    os.execve(program, scene["command"], scene["environment"])
# An init stands in front of it, as `docker run --init` does.
child = os.fork()
if child == 0:
    os.execve(program, scene["command"], scene["environment"])
status = os.waitpid(child, 0)[1]
os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
