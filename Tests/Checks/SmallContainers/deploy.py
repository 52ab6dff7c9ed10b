"""Does what docs/deploying.md says: its Dockerfile, its sidecar, its systemd unit, as they stand on the page."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import page

HERE = pathlib.Path(__file__).parent
REPOSITORY = HERE.parents[2]
SERVICE = "mainstay-trial"
COMPILE = "swift build -c release --static-swift-stdlib"
# What stands in for an image: the files of Debian's packages that it has and that are installed here. None for
# the image that compiles: this machine stands in for it, as it is.
IMAGES = {
    "swift:6.3-bookworm": None,
    "scratch": [],
    "debian:bookworm-slim": ["base-files", "libc6", "libgcc-s1", "libstdc++6"],
}


class Wrong(Exception):
    pass


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def stands_in():
    """Whether this machine can stand in for Debian 12's images."""
    release = pathlib.Path("/etc/os-release").read_text()
    return "VERSION_CODENAME=bookworm" in release and shutil.which("dpkg-query") is not None


def installed(package):
    return run("dpkg-query", "--show", "--showformat", "${db:Status-Status}", package).stdout == "installed"


class Image:
    """Takes the steps of a Dockerfile, each stage in a folder of its own."""

    def __init__(self, stages, program, crashscan, work):
        self.stages = {stage.name: stage for stage in stages}
        self.work = work
        shutil.rmtree(work, ignore_errors=True)
        # What the compiler would have made is there already.
        for folder, built in ((SERVICE, program), ("mainstay", crashscan)):
            place = work / "src" / folder / ".build/release"
            place.mkdir(parents=True)
            (place / built.name).symlink_to(built)
        for stage in stages:
            (self.compile if IMAGES[stage.base] is None else self.assemble)(stage)

    def root(self, name):
        return self.work if IMAGES[self.stages[name].base] is None else self.work / name

    def compile(self, stage):
        folder = self.work
        for instruction, words in stage.steps:
            words = words.replace("${SERVICE}", SERVICE)
            if instruction == "WORKDIR":
                folder = self.work / words.lstrip("/")
            elif instruction == "RUN":
                self.run(words, folder)
            elif (instruction, words) not in [("ARG", "SERVICE=my-service"), ("COPY", ". /src")]:
                raise Wrong(f"nothing here stands in for {instruction} {words}")

    def run(self, words, folder):
        if words.startswith("apt-get"):
            return self.check_packages(words)
        if words.startswith("swift build"):
            if not words.startswith(COMPILE + " "):
                raise Wrong(f"what is here was built by {COMPILE}, not by {words}")
            print(f"   built already: {words}")
            return
        print(f"   {words}")
        command = re.sub(r"(^| )/out\b", rf"\1{self.work}/out", words)
        done = run("sh", "-euc", command, cwd=folder)
        if done.returncode != 0:
            raise Wrong(f"{words} ended with {done.returncode}: {done.stderr}")

    def check_packages(self, words):
        packages = [word for word in words.split("install", 1)[1].split() if not word.startswith("-")]
        missing = [package for package in packages if not installed(package)]
        if missing:
            raise Wrong(f"the build here did without {' '.join(missing)}")
        print(f"   installed already: {' '.join(packages)}")
        return packages

    def assemble(self, stage):
        root = self.work / stage.name
        root.mkdir()
        for package in IMAGES[stage.base]:
            for file in run("dpkg-query", "--listfiles", package, check=True).stdout.splitlines():
                self.copy(pathlib.Path(file), root)
        for instruction, words in stage.steps:
            if instruction == "RUN":
                self.check_packages(words)
            elif instruction == "COPY":
                self.copy_from(words.split(), root)
        print(f"   {stage.name}: {stage.base}, and what is copied there")

    @staticmethod
    def copy(file, root):
        place = root / str(file).lstrip("/")
        if file.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            if not place.exists():
                shutil.copy(os.path.realpath(file), place)

    def copy_from(self, words, root):
        options = dict(word[2:].split("=", 1) for word in words if word.startswith("--"))
        source, target = [word for word in words if not word.startswith("--")]
        place = root / target.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        source = self.root(options["from"]) / source.lstrip("/")
        if source.is_dir():
            shutil.copytree(source, place, dirs_exist_ok=True)
        else:
            shutil.copy(source, place)
        if "chown" in options:
            os.chown(place, *map(int, options["chown"].split(":")))


def start(image, volume, work):
    """Runs the service as an engine would, until it has crashed."""
    stage = image.stages["service"]
    user, group = stage.last("USER").split(":")
    environment = dict(word.split("=", 1) for word in stage.last("ENV").split())
    environment["MAINSTAY_TRIAL"] = "nowhere.log start violate crash"
    root = work / "service"
    (root / "proc").mkdir(exist_ok=True)
    told = dict(proc=True, readonly=True, user=int(user), seccomp=True, forbidden=[], tmpfs=None, overlay=False, first=True, cgroup=None,
                root=str(root), volume=str(volume), command=json.loads(stage.last("CMD")), environment=environment)
    done = run("unshare", "--mount", "--pid", "--fork", "--propagation", "private", sys.executable, HERE / "inside.py",
               json.dumps(told), timeout=60)
    if user != group or stage.last("VOLUME") != "/logs":
        raise Wrong("USER or VOLUME is another than is tried here")
    if not done.stdout.startswith(f"file {environment['MAINSTAY_LOG']}\n"):
        raise Wrong(f"the service does not record: {done.stdout}{done.stderr}")
    return environment


def needed(crashscan):
    """Debian's packages with what crashscan itself is linked with, but for Swift's own; apt adds theirs."""
    linked = re.findall(r"Shared library: \[(.*)\]", run("readelf", "--dynamic", crashscan, check=True).stdout)
    places = dict(re.findall(r"(\S+) => (\S+)", run("ldd", crashscan, check=True).stdout))
    found = [run("dpkg-query", "--search", f"*/{name}").stdout for name in linked
             if "/swift/" not in places.get(name, "")]
    packages = {line.split(":")[0] for line in "".join(found).splitlines()}
    # Cross compilers have libraries of the same names for other processors.
    return {package for package in packages if not package.endswith("-cross")}


def expect(report, place, *texts):
    for text in texts:
        if text not in report:
            raise Wrong(f"the report of {place} has no “{text}”:\n{report}")


def check_sidecar(script, volume, symbols, work, crashscan):
    """Its first look tells of the run before the last, its end of the last."""
    seen = work / "seen"
    seen.mkdir()
    for there, here in (("/logs", volume), ("/symbols", symbols), ("/seen", seen)):
        script = re.sub(rf"{there}\b", str(here), script)
    environment = os.environ | {"PATH": f"{crashscan.parent}:{os.environ['PATH']}"}
    process = subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, text=True, env=environment)
    # A script that looks for other files would never say anything.
    limit = threading.Timer(60, process.kill)
    limit.start()
    first = ""
    for line in process.stdout:
        first += line
        if "finding" in line:
            break
    process.terminate()
    last = process.communicate(timeout=60)[0]
    limit.cancel()
    for name, report in (("service.1.log", first), ("service.log", last)):
        expect(report, name, "crash-cause", "main.swift", "the trial's check")
    print("   sidecar: a report of the run before, and at its end one of the last")


def check_unit(unit, volume, symbols, work, crashscan):
    if shutil.which("systemd-analyze"):
        file = work / "my-service.service"
        file.write_text(re.sub(r"^ExecStart=.*", "ExecStart=/bin/true", unit, flags=re.MULTILINE))
        done = run("systemd-analyze", "verify", file)
        if done.returncode != 0 or file.name in done.stderr:
            raise Wrong(f"systemd says of the unit: {done.stderr}")
        print("   systemd-analyze verify: no complaint")
    else:
        print("   systemd-analyze verify: left out, there is none here")
    shell, flag, command = re.fullmatch(r"-(\S+) (-c) '(.*)'", page.unit_value(unit, "ExecStopPost")).groups()
    command = re.sub(r"--symbols \S+", f"--symbols {symbols}", command)
    for result, told in (("success", False), ("signal", True)):
        environment = os.environ | {"SERVICE_RESULT": result, "STATE_DIRECTORY": str(volume),
                                    "PATH": f"{crashscan.parent}:{os.environ['PATH']}"}
        said = run(shell, flag, command, env=environment).stdout
        if told != ("crash-cause" in said):
            raise Wrong(f"after the result “{result}” its ExecStopPost says: {said}")
    print("   ExecStopPost: a report after a crash, nothing after a success")


def check(program, crashscan, work):
    """Every step of the page, where this machine can stand in for the images."""
    print("== docs/deploying.md\n")
    if not stands_in():
        print("   left out: this is no Debian 12\n")
        return
    found = page.blocks(REPOSITORY / "docs/deploying.md")
    stages = page.stages(found["Dockerfile"])
    image = Image(stages, program, crashscan, work / "image")
    volume = work / "volume-of-image"
    shutil.rmtree(volume, ignore_errors=True)
    shutil.copytree(image.root("service") / "logs", volume)
    os.chown(volume, *map(int, image.stages["service"].last("USER").split(":")))
    for _ in range(2):
        start(image, volume, work / "image")
    symbols = image.root("symbols")
    read = run(crashscan, volume / "service.log", "--symbols", symbols).stdout
    print("".join(f"   {line}\n" for line in read.strip().split("\n")))
    expect(read, "service.log", "crash-cause", "main.swift", "the trial's check", "production")
    if "have no symbols" in read:
        raise Wrong("the bundle does not name the frames of the stripped service")
    given = image.check_packages(image.stages["crashscan"].last("RUN")) + IMAGES["debian:bookworm-slim"]
    if lacking := needed(crashscan) - set(given):
        raise Wrong(f"the image of crashscan lacks {' '.join(sorted(lacking))}")
    check_sidecar(page.sidecar_script(found["sidecar"]), volume, symbols, work / "image", crashscan)
    check_unit(found["unit"], volume, symbols, work / "image", crashscan)
