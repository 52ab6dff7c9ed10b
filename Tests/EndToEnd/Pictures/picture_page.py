"""Pictures of pages, by Chromium's own protocol over a pipe: nothing is needed but Chromium."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


class Page:
    """A page in a Chromium without a window."""

    def __init__(self, width, height):
        self.profile = tempfile.mkdtemp(prefix="mainstay-chromium-")
        requests, self.send_end = os.pipe()
        self.receive_end, answers = os.pipe()
        # Chromium reads descriptor 3 and writes descriptor 4.
        self.process = subprocess.Popen(
            ["sh", "-c", f"exec chromium --headless=new --no-sandbox --disable-gpu --no-first-run "
             f"--remote-debugging-pipe --hide-scrollbars --user-data-dir={self.profile} "
             f"--window-size={width},{height} about:blank 3<&{requests} 4>&{answers}"],
            pass_fds=[requests, answers], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(requests)
        os.close(answers)
        self.pending, self.number, self.session = b"", 0, None
        targets = self.ask("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.ask(
            "Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.send_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(answer["error"]["message"])
                return answer["result"]

    def receive(self):
        while b"\0" not in self.pending:
            piece = os.read(self.receive_end, 1 << 16)
            if not piece:
                raise RuntimeError("Chromium has ended")
            self.pending += piece
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def open(self, address):
        self.ask("Page.navigate", url=address)

    def value(self, expression):
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True,
                          awaitPromise=True)
        return answer["result"].get("value")

    def wait(self, expression, seconds=60):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.value(expression):
                return
            time.sleep(0.2)
        raise RuntimeError(f"does not come to be: {expression}")

    def save(self, path):
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
