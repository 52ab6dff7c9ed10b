"""A real Chromium with a page in it, and what a person does with it."""

import base64
import importlib.util
import io
import json
import os
import pathlib
import re
import time

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

AXE = pathlib.Path(importlib.util.find_spec("axe_playwright_python").origin).parent / "axe.min.js"
MARK = re.compile(r'<script id="data" type="application/json">(.*?)</script>', re.S)


class Browser:
    """One window; pages are opened in it one after the other."""

    def __init__(self, width=1440, height=900):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in (
            "--headless=new",
            "--disable-gpu",
            "--hide-scrollbars=false",
            f"--window-size={width},{height}",
            "--force-device-scale-factor=1",
        ):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")  # Chromium's own refuses to be root's.
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(120)
        self.size(width, height)
        self.media()

    def close(self):
        self.driver.quit()

    # What the window is like.

    def size(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def media(self, scheme="light", motion="reduce"):
        """Motion is reduced unless a test is about it, so that a frame later all is in place."""
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {
                "features": [
                    {"name": "prefers-color-scheme", "value": scheme},
                    {"name": "prefers-reduced-motion", "value": motion},
                ]
            },
        )

    # Pages.

    def open(self, path, fragment=""):
        # The same file with another fragment would only be scrolled.
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get(pathlib.Path(path).resolve().as_uri() + fragment)
        self.settle()
        return Page(path)

    def settle(self):
        """Waits until what was asked for is drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))"
        )

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    # What is there.

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector="body"):
        return self.one(selector).text

    def said(self):
        return self.run("return document.getElementById('said').textContent")

    def window(self):
        return self.run("return timeline.window")

    def selection(self):
        return self.run("return timeline.selection")

    def place(self, message=None):
        """Where an event is on the plot; without a message, the crash."""
        return self.run("return timeline.place(arguments[0] ?? undefined)", message)

    # What a person does.

    def click(self, selector):
        self.one(selector).click()
        self.settle()

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()
        self.settle()

    def at(self, x, y):
        """The offset from the plot's middle, as the driver wants it."""
        plot = self.one("#plot")
        return plot, int(x - plot.size["width"] // 2), int(y - plot.size["height"] // 2)

    def click_plot(self, x, y):
        ActionChains(self.driver).move_to_element_with_offset(*self.at(x, y)).click().perform()
        self.settle()

    def hover_plot(self, x, y):
        ActionChains(self.driver).move_to_element_with_offset(*self.at(x, y)).perform()
        self.settle()

    def drag_plot(self, start, end):
        chain = (
            ActionChains(self.driver).move_to_element_with_offset(*self.at(*start)).click_and_hold()
        )
        chain.move_by_offset(end[0] - start[0], end[1] - start[1]).release().perform()
        self.settle()

    def wheel(self, x, y, by):
        box = self.one("#plot").rect
        self.driver.execute_cdp_cmd(
            "Input.dispatchMouseEvent",
            {"type": "mouseWheel", "x": box["x"] + x, "y": box["y"] + y, "deltaX": 0, "deltaY": by},
        )
        time.sleep(0.1)
        self.settle()

    def tab_to(self, selector):
        self.run("document.querySelector(arguments[0]).focus()", selector)

    # Pictures.

    def picture(self):
        self.hover_off()
        return Image.open(io.BytesIO(self.driver.get_screenshot_as_png())).convert("RGB")

    def hover_off(self):
        ActionChains(self.driver).move_to_element(self.one("h1")).perform()
        self.settle()

    def plot_picture(self):
        box = self.one("#plot").rect
        corners = (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"])
        return self.picture().crop(tuple(int(corner) for corner in corners))

    def pdf(self):
        printed = self.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
        return base64.b64decode(printed["data"])

    # For those who do not see.

    def barriers(self):
        """What axe finds."""
        self.run(AXE.read_text())
        result = self.driver.execute_async_script(
            "const done = arguments[0]; "
            "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a',"
            " 'wcag21aa', 'wcag22aa', 'best-practice']}).then(done)"
        )
        return [
            f"{found['id']}: {node['target']} {node.get('failureSummary', '')}"
            for found in result["violations"]
            for node in found["nodes"]
        ]


class Page:
    """A page as it lies on disk: its bytes, and the data in them."""

    def __init__(self, path):
        self.text = pathlib.Path(path).read_text()
        self.data = json.loads(MARK.search(self.text).group(1))

    @property
    def findings(self):
        return [entry["finding"] for entry in self.data["findings"]]

    def timeline(self, run=0):
        return self.data["runs"][run]["timeline"]

    def events(self, run=0):
        """Every event as its parts."""
        lines = self.timeline(run)
        now = 0
        for at, step in enumerate(lines["time"]):
            now += step
            thread, queue, _ = lines["places"][lines["place"][at]]
            kind, level, category, _ = lines["sorts"][lines["sort"][at]]
            yield {
                "time": now,
                "thread": thread,
                "kind": kind,
                "level": level,
                "queue": lines["queues"][queue - 1][1] if queue else "",
                "category": lines["texts"][category],
                "message": lines["texts"][lines["text"][at]],
            }
