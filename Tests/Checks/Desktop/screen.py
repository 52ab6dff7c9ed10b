"""A screen of its own for what needs one: an X server without a display, a session bus, and a home folder."""
import os
import pathlib
import shutil
import struct
import subprocess
import time


class Screen:
    """`with Screen(folder) as screen`: `screen.environment` leads programs there, `screen.picture()` is what it shows."""

    def __init__(self, folder, size="800x600"):
        self.folder = pathlib.Path(folder)
        self.size = size

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        ready, said = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(said), "-screen", "0", f"{self.size}x24", "-fbdir", str(self.folder),
             "-nolisten", "tcp", "-noreset"],
            pass_fds=[said], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        os.close(said)
        with os.fdopen(ready) as told:
            self.display = ":" + told.readline().strip()
        self.bus, address = None, "disabled:"
        if shutil.which("dbus-daemon"):
            self.bus = subprocess.Popen(
                ["dbus-daemon", "--session", "--print-address", "--nofork"], stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True)  # fmt: skip
            address = self.bus.stdout.readline().strip()
        self.environment = {
            **os.environ, "DISPLAY": self.display, "GDK_BACKEND": "x11", "SDL_VIDEODRIVER": "x11",
            "HOME": str(self.folder), "NO_AT_BRIDGE": "1", "DBUS_SESSION_BUS_ADDRESS": address,
            "XDG_CACHE_HOME": str(self.folder / "cache"), "XDG_RUNTIME_DIR": str(self.folder),
            "GSETTINGS_BACKEND": "memory"}  # fmt: skip
        return self

    def __exit__(self, *_):
        for process in filter(None, (self.bus, self.server)):
            process.terminate()
            process.wait()
        if self.bus:
            self.bus.stdout.close()

    def xdotool(self, *words):
        return subprocess.run(
            ["xdotool", *map(str, words)], env=self.environment, capture_output=True, text=True, timeout=60).stdout  # fmt: skip

    def picture(self):
        """The screen's pixels, a row each, without what the server keeps beside the colours."""
        shown = (self.folder / "Xvfb_screen0").read_bytes()
        header = struct.unpack(">25I", shown[:100])
        begin, width, height, row = header[0] + header[19] * 12, header[4], header[5], header[12]
        rows = []
        for line in range(height):
            pixels = bytearray(shown[begin + line * row : begin + line * row + width * 4])
            pixels[3::4] = bytes(width)
            rows.append(bytes(pixels))
        return rows


class Compositor:
    """`with Compositor(folder) as compositor`: a Wayland compositor that shows nothing and has no keys."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True, mode=0o700)
        self.environment = {
            **os.environ, "XDG_RUNTIME_DIR": str(self.folder), "WAYLAND_DISPLAY": "wayland-test", "DISPLAY": "",
            "GDK_BACKEND": "wayland", "NO_AT_BRIDGE": "1"}  # fmt: skip
        self.server = subprocess.Popen(
            ["weston", "--backend=headless-backend.so", "--socket=wayland-test", "--idle-time=0", "--no-config"],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        end = time.monotonic() + 60
        while not (self.folder / "wayland-test").exists() and time.monotonic() < end:
            time.sleep(0.02)
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
