"""The machine: what it is, and how busy other processes keep it."""

import contextlib
import os
import pathlib
import re
import subprocess

# Above so many busy processors, figures are not comparable with those of other runs.
QUIET = 0.5


def describe():
    """The properties of the machine that figures depend on, as a dictionary for JSON."""
    information = read("/proc/cpuinfo")
    listed = lscpu()
    clocks = [float(clock) for clock in re.findall(r"^cpu MHz\s*: ([\d.]+)", information, re.M)]
    flags = re.search(r"^flags\s*: (.*)", information, re.M)
    flags = set(flags[1].split()) if flags else set()
    return {
        "processor": listed.get("Model name") or os.uname().machine,
        "processors": len(os.sched_getaffinity(0)),
        "megahertz": clocks or None,
        # The counter that time stamps are read from, which may differ from the clock of the core.
        "constantCounter": {"constant_tsc", "nonstop_tsc"} <= flags if flags else None,
        "governor": read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").strip() or None,
        "hypervisor": listed.get("Hypervisor vendor") or ("unknown" if "hypervisor" in flags else None),
        "kernel": os.uname().release,
        "load": list(os.getloadavg()),
    }


def sentences(machine):
    """The description for a terminal."""
    clocks = machine["megahertz"]
    clock = f"{min(clocks):.0f} to {max(clocks):.0f} MHz" if clocks and min(clocks) != max(clocks) else None
    clock = clock or (f"{clocks[0]:.0f} MHz" if clocks else "unknown clock")
    counter = {True: "constant", False: "not constant", None: "unknown"}[machine["constantCounter"]]
    load = ", ".join(f"{value:.2f}" for value in machine["load"])
    lines = [
        f"machine: {machine['processors']} × {machine['processor']}, now at {clock}; counter of time stamps: {counter}",
        f"frequency governor: {machine['governor'] or 'not readable'}; hypervisor: {machine['hypervisor'] or 'none'}; "
        f"kernel {machine['kernel']}",
        f"load average: {load} (1, 5, 15 minutes)",
    ]
    if machine["load"][0] > QUIET:
        lines.append(f"The load is above {QUIET}: the figures are not comparable with those of other runs.")
    return "\n".join(lines)


def lscpu():
    with contextlib.suppress(OSError):
        listed = subprocess.run(["lscpu"], capture_output=True, text=True, env=os.environ | {"LC_ALL": "C"}).stdout
        return {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in listed.splitlines())}
    return {}


def read(path):
    with contextlib.suppress(OSError):
        return pathlib.Path(path).read_text()
    return ""


def busy_seconds():
    """Processor seconds that all processes have used since boot, and those that a hypervisor has taken."""
    user, nice, system, _, _, irq, softirq, steal = map(int, read("/proc/stat").split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
