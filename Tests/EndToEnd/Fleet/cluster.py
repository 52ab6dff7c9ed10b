"""A standalone Spark on this machine: a real master and real workers, whose processes can be killed."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import time

import pyspark

SPARK = pathlib.Path(pyspark.__file__).parent
PATIENCE = 180


def cleared(log):
    """Where the Java of an application's driver says what it cleared up."""
    return pathlib.Path(log).with_suffix(".gc.txt")


class Cluster:
    """A master and so many workers, of one processor each."""

    def __init__(self, scratch, workers, python):
        self.scratch, self.count, self.processes = pathlib.Path(scratch), workers, []
        self.environment = os.environ | {
            "SPARK_HOME": str(SPARK), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m",
            "PYSPARK_PYTHON": str(python), "PYSPARK_DRIVER_PYTHON": str(python),
            # So short a run ends before the better of Java's two compilers has paid.
            "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        }  # fmt: skip

    def __enter__(self):
        self.scratch.mkdir(parents=True, exist_ok=True)
        self._start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0")
        self.url = self._said("master", r"Starting Spark master at (spark://\S+)")
        for number in range(self.count):
            self._start(
                f"worker-{number}", "org.apache.spark.deploy.worker.Worker", "--cores", "1", "--memory", "1g",
                "--work-dir", str(self.scratch / f"work-{number}"), self.url,
            )  # fmt: skip
        for number in range(self.count):
            self._said(f"worker-{number}", r"(Successfully registered) with master")
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait()

    def _log(self, name):
        return self.scratch / f"{name}.txt"

    def _start(self, name, what, *arguments):
        with open(self._log(name), "wb") as log:
            self.processes.append(subprocess.Popen(
                [SPARK / "bin/spark-class", what, "--webui-port", "0", *arguments],
                env=self.environment, stdout=log, stderr=subprocess.STDOUT))  # fmt: skip

    def _said(self, name, pattern):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := re.search(pattern, self._log(name).read_text(errors="replace")):
                return found.group(1)
            time.sleep(0.1)
        raise SystemExit(f"{name} does not start:\n{self._log(name).read_text(errors='replace')[-2000:]}")

    def submit(self, log, program, *arguments):
        """Begins an application; what it says goes to a file, and what its driver's Java clears up to one beside it."""
        with open(log, "wb") as output:
            return subprocess.Popen(
                [
                    SPARK / "bin/spark-submit", "--master", self.url, "--conf", "spark.executor.memory=512m",
                    "--conf", "spark.driver.host=127.0.0.1", "--conf", "spark.ui.enabled=false",
                    "--driver-memory", "512m", "--driver-java-options", f"-Xlog:gc:file={cleared(log)}",
                    program, *map(str, arguments),
                ],
                env=self.environment, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip

    def worker(self, number):
        return self.processes[1 + number].pid

    def executor(self, number):
        """The process that a worker has for an application; nothing between two of them."""
        tree = Tree()
        executors = (pid for pid in tree.below(self.worker(number)) if "CoarseGrainedExecutor" in tree.words(pid))
        return next(executors, None)


class Tree:
    """The processes as they are now."""

    def __init__(self):
        self.children = {}
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                    self.children.setdefault(parent, []).append(int(entry.name))

    def below(self, pid):
        for child in self.children.get(pid, ()):
            yield child
            yield from self.below(child)

    def words(self, pid):
        with contextlib.suppress(OSError):
            return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return ""

    def readers(self, pid):
        """Those below a process that read a log just now."""
        return {each for each in self.below(pid) if "crashscan summarize" in self.words(each)}

    def resident(self, pid):
        """In MB, with all below it."""
        total = 0
        for each in (pid, *self.below(pid)):
            with contextlib.suppress(OSError):
                status = pathlib.Path(f"/proc/{each}/status").read_text()
                if found := re.search(r"VmRSS:\s+(\d+)", status):
                    total += int(found.group(1)) >> 10
        return total

    def spent(self, pid):
        """Seconds of processors, with all below it and those of them that have ended."""
        ticks = 0
        for each in (pid, *self.below(pid)):
            with contextlib.suppress(OSError):
                fields = pathlib.Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()
                ticks += sum(map(int, fields[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")


def kill(pid):
    os.kill(pid, signal.SIGKILL)
