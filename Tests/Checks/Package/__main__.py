"""Checks the packages that `make package` has built: `python3 Tests/Checks/Package BUILD PROGRAMS`.

lintian and SPDX's own validator accept them. In a fresh minimal Debian 12, without any other package, the tarball runs wherever it
is unpacked; the Debian package installs with the dependencies that it declares, runs, and leaves nothing when it is removed.
PROGRAMS has the programs that record what is read.
"""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD, PROGRAMS = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
WORK = BUILD / "package/check"
SUITE = "bookworm"
MIRROR = os.environ.get("MAINSTAY_MIRROR", "http://deb.debian.org/debian")
FAILED = []


def check(what, holds, seen=""):
    print(("  holds: " if holds else "  FAILS: ") + what, flush=True)
    if not holds:
        FAILED.append(what)
        print("    seen: " + str(seen).replace("\n", "\n    "), flush=True)


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    return done.returncode, done.stdout


def only(pattern):
    (found,) = (BUILD / "package").glob(pattern)
    return found


class Root:
    """A minimal Debian, as debootstrap makes it; made once, and copied for each scene."""

    def __init__(self, name):
        base = BUILD / f"package/{SUITE}"
        if not (base / "complete").exists():
            shutil.rmtree(base, ignore_errors=True)
            subprocess.run(["debootstrap", "--variant=minbase", SUITE, base, MIRROR], check=True, stdout=subprocess.DEVNULL)
            (base / "complete").touch()
        self.path = WORK / name
        subprocess.run(["cp", "-a", "--reflink=auto", base, self.path], check=True)
        # How packages are fetched is this machine's affair.
        shutil.copy("/etc/resolv.conf", self.path / "etc/resolv.conf")
        for file in pathlib.Path("/etc/apt/apt.conf.d").glob("*"):
            shutil.copy(file, self.path / "etc/apt/apt.conf.d")

    def run(self, command):
        return run("unshare", "--mount", "--pid", "--fork", "sh", "-c",
                   'mount -t proc proc "$1/proc"; exec chroot "$1" env -i HOME=/root PATH=/usr/bin:/usr/sbin '
                   'http_proxy="${http_proxy:-}" bash -c "$2"', "sh", self.path, command)  # fmt: skip

    def files(self):
        """What a package may leave: all files but caches, logs and apt's and dpkg's own state."""
        ignored = ("var/lib/apt", "var/lib/dpkg", "var/cache", "var/log", "tmp", "proc")
        return {str(file.relative_to(self.path)) for file in self.path.rglob("*")
                if not str(file.relative_to(self.path)).startswith(ignored)}  # fmt: skip

    def give_recording(self):
        """A log, with the program and the sources that it names where they were."""
        log = self.path / "root/breadcrumbs.log"
        subprocess.run([PROGRAMS / "misbehave", "off-main-ui", "wrong", log], capture_output=True,
                       env=os.environ | {"SWIFT_BACKTRACE": "enable=no"})  # fmt: skip
        for file in (PROGRAMS / "misbehave", *(ROOT / "Tests/Programs/Misbehave").glob("*.swift")):
            place = self.path / str(file).lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, place)
        shutil.copy(ROOT / "Tests/Fixtures/reports/alike-asan-uaf.txt", self.path / "root/console.txt")


def check_it_runs(root, name, crashscan):
    status, said = root.run(f"{crashscan} --version")
    commit = run("git", "-C", ROOT, "rev-parse", "--short=12", "HEAD")[1].strip()
    check(f"{name}: --version names the commit", status == 0 and f"(commit {commit})" in said, said)
    status, said = root.run(f"cd /root && {crashscan} breadcrumbs.log --no-color")
    check(f"{name}: reads a log, with functions and lines from the program", status == 1 and "ways.swift:27" in said, said)
    status, said = root.run(f"cd /root && {crashscan} console.txt --no-color")
    check(f"{name}: reads a report of another tool", status == 1 and "error " in said, said)
    status, said = root.run(f"cd /root && gzip -k breadcrumbs.log && {crashscan} breadcrumbs.log.gz; rm breadcrumbs.log.gz")
    check(f"{name}: reads a compressed log", "off-main-ui" in said, said)
    status, said = root.run(f"cd /root && {crashscan} report breadcrumbs.log --format html --output page.html; wc -c page.html")
    check(f"{name}: writes the HTML page", int(said.splitlines()[-1].split()[0]) > 100_000, said)
    status, said = root.run(f"cd /tmp && {crashscan} run -- sleep 0.1 && {crashscan} show blocking.log")
    check(f"{name}: preloads its library", status == 0 and "sleep" in said, said)


def check_tarball():
    archive = only("*.tar.gz")
    root = Root("tarball")
    root.give_recording()
    shutil.copy(archive, root.path / "root/package.tar.gz")
    root.run("mkdir /opt/first && tar -xzf /root/package.tar.gz -C /opt/first --strip-components=1")
    check_it_runs(root, "tarball", "/opt/first/bin/crashscan")
    root.run("mv /opt/first '/opt/second'")
    check_it_runs(root, "tarball, moved", "/opt/second/bin/crashscan")
    status, said = root.run("ldd /opt/second/bin/crashscan")
    outside = [line for line in said.splitlines() if "=>" in line and "/opt/second" not in line]
    check("tarball: takes nothing but glibc from the system", status == 0 and outside and all("libc.so" in line or "libm.so" in line or "libdl" in line
          or "pthread" in line or "ld-linux" in line or "libresolv" in line or "librt" in line for line in outside), outside)  # fmt: skip


def check_deb():
    package = only("*.deb")
    status, said = run("lintian", "--fail-on", "error,warning", "--info", "--tag-display-limit", "0", "--allow-root", package)
    check("lintian has no error and no warning", status == 0 and not said.strip(), said)
    root = Root("deb")
    shutil.copy(package, root.path / "tmp/crashscan.deb")
    status, said = root.run("apt-get -qq update")
    check("the root's apt works", status == 0, said)
    status, said = root.run("dpkg -i /tmp/crashscan.deb; dpkg --purge crashscan")
    check("deb: does not install without its dependencies", "depends on libdw1" in said, said)
    declared = run("dpkg-deb", "-f", package, "Depends")[1]
    wanted = [part.split("|")[0].split("(")[0].strip() for part in declared.split(",")]
    root.run(f"apt-get -qq -y install --no-install-recommends {' '.join(wanted)}")
    before = root.files()
    status, said = root.run("apt-get -qq -y install --no-install-recommends /tmp/crashscan.deb")
    check("deb: installs by apt", status == 0, said)
    root.give_recording()
    check_it_runs(root, "deb", "crashscan")
    status, said = root.run("zcat /usr/share/man/man1/crashscan.1.gz | head -1; . /usr/share/bash-completion/completions/crashscan;"
                            " complete -p crashscan; dpkg --verify crashscan")  # fmt: skip
    check("deb: has its man page and completions, unchanged",
          said.startswith(".TH CRASHSCAN") and "complete -F" in said and "??5" not in said, said)  # fmt: skip
    status, said = root.run("rm -rf /root/* && apt-get -qq -y purge crashscan")
    check("deb: can be removed", status == 0, said)
    left = {name for name in root.files() - before if not name.startswith((str(ROOT).lstrip("/"), "root"))
            and not str(ROOT).lstrip("/").startswith(name)}  # fmt: skip
    check("deb: leaves nothing behind", not left, sorted(left))


def check_spdx():
    documents = list((BUILD / "package").glob("*.spdx.json"))
    check("each package has an SPDX document", len(documents) == 2, documents)
    for document in documents:
        status, said = run(BUILD / "tools/bin/pyspdxtools", "--infile", document)
        check(f"{document.name} is valid SPDX", status == 0, said)


def main():
    if os.geteuid() != 0:
        sys.exit("check-package: chroot needs root")
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    check_spdx()
    check_tarball()
    check_deb()
    shutil.rmtree(WORK)
    sys.exit(bool(FAILED))


main()
