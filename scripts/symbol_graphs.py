"""The compiler's symbol graphs of the libraries, as `make check-interface UPDATE=1` and `make docs` want them."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRODUCTS = [
    "AffinityTesting", "BlockingCalls", "BreadcrumbNotifications", "Breadcrumbs", "CrashCapture", "CrashTesting", "Mainstay",
    "PastDeaths", "ThreadAffinity",
]  # fmt: skip


def search_paths(build):
    """What lets the extractor find the modules, and those in C that they import."""
    paths = ["-I", str(build / "Modules")]
    for folder in sorted((ROOT / "Sources").glob("*/*")):
        module_map = build / f"{folder.name}.build/module.modulemap"
        if module_map.exists():
            paths += ["-Xcc", f"-I{folder}/include", "-Xcc", f"-fmodule-map-file={module_map}"]
    return paths


def triple():
    told = subprocess.run(
        ["swiftc", "-print-target-info"], check=True, capture_output=True, text=True)  # fmt: skip
    return json.loads(told.stdout)["target"]["triple"]


def write(product, build, folder):
    """The files with the graph of a library's public interface, of which there is one for each module it extends."""
    done = subprocess.run(
        ["swift-symbolgraph-extract", "-module-name", product, "-target", triple(),
         "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", str(folder),
         *search_paths(build)],
        capture_output=True, text=True)  # fmt: skip
    files = sorted(pathlib.Path(folder).glob("*.symbols.json"))
    if done.returncode != 0 or not files:
        sys.exit(f"there is no symbol graph of {product}:\n{done.stdout}{done.stderr}")
    return files
