"""Opens the fleet's page in a real Chromium, and uses it: `page.py PAGE [PICTURES]`.

With a folder for pictures, those of docs/images are taken.
"""

import io
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Timeline"))

from browser import Browser  # noqa: E402
from comparing import Verdict  # noqa: E402
from PIL import Image  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402


class FleetPage:
    """The page, and what a person does with it."""

    def __init__(self, browser, path, verdict):
        self.browser, self.verdict = browser, verdict
        self.data = browser.open(path).data

    def titles(self):
        return [each.text for each in self.browser.all("#findings .open")]

    def put(self, field, value):
        """Chooses or types, as a person does."""
        self.browser.run(
            "const field = document.getElementById(arguments[0]); field.value = arguments[1];"
            "field.dispatchEvent(new Event('input', {bubbles: true}))", field, value)  # fmt: skip
        self.browser.settle()

    def meant(self, holds):
        return [row["title"] for row in self.data["findings"] if holds(row)]

    def filters(self):
        check, findings = self.verdict.check, self.data["findings"]
        check("every finding has a row, in order", self.titles() == self.meant(lambda row: True), self.titles())
        for one in self.data["fleet"]["releases"]:
            name = one["release"]
            self.put("release", name)
            mine = self.meant(lambda row: any(each["release"] == name for each in row["releases"]))
            check(f"release {name} has {len(mine)} of {len(findings)}", self.titles() == mine, self.titles())
            shown = [each.text for each in self.browser.all("#findings tbody tr.finding td:nth-child(3)")]
            logs = [str(each["logs"]) for row in findings for each in row["releases"] if each["release"] == name]
            check(f"and counts the logs of {name} alone", shown == logs, (shown, logs))
        self.put("release", "")
        for host in self.data["fleet"]["hostNames"][:3]:
            self.put("host", host)
            mine = self.meant(lambda row: host in row["hostNames"])
            check(f"host {host} has {len(mine)}", self.titles() == mine, self.titles())
        self.put("host", "no such host")
        check("another host has none", self.titles() == [], self.titles())
        self.put("host", "")
        self.put("text", "shop.look")
        mine = self.meant(lambda row: "Shop.look" in (row["function"] or ""))
        check("a function is found", mine and self.titles() == mine, self.titles())
        self.put("text", "")
        self.browser.click("#new")
        check("new ones alone", self.titles() == self.meant(lambda row: row["isNew"]), self.titles())
        self.browser.click("#new")

    def sparklines(self):
        for at, row in enumerate(self.data["findings"]):
            told = ", ".join(f"{each['day']}: {each['logs']}" for each in row["days"])
            bars = self.browser.all("#findings tbody tr.finding .spark")[at]
            self.verdict.check(f"bars say {told}", bars.get_attribute("aria-label") == f"logs by day: {told}")
        heights = self.browser.run(
            "return [...document.querySelectorAll('.spark rect')].map((bar) => bar.getBoundingClientRect().height)"
        )
        self.verdict.check("bars have heights", heights and max(heights) > 10, heights)

    def open_timeline(self):
        self.browser.click("#findings .open")
        self.verdict.check("a click opens the details", "fix" in self.browser.text("#findings .details"))
        self.browser.click("#findings .timeline")
        driver = self.browser.driver
        driver.switch_to.frame(self.browser.one("#frame iframe"))
        WebDriverWait(driver, 60).until(lambda _: self.browser.all("#finding-list li"))
        self.browser.settle()

    def timeline(self):
        self.open_timeline()
        name = self.data["findings"][0]["example"]
        shown = self.browser.run("return document.querySelector('#finding-list').textContent")
        title = self.data["findings"][0]["title"]
        self.verdict.check(f"the timeline of {pathlib.Path(name).name} has the finding", title in shown, shown)
        drawn = self.browser.run("return document.querySelector('#plot')?.getBoundingClientRect().height")
        self.verdict.check("and a plot", drawn and drawn > 100, drawn)
        self.browser.driver.switch_to.default_content()


def save(picture, path):
    palette = picture.quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=1)
    picture.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)


def pictures(browser, path, folder):
    """Without what names a folder of this machine."""
    folder = pathlib.Path(folder)
    for scheme in ("light", "dark"):
        browser.media(scheme)
        page = FleetPage(browser, path, Verdict())
        end = int(browser.one("[aria-labelledby='gaps-title']").rect["y"])
        save(browser.picture().crop((0, 0, 1280, end)), folder / f"fleet-{scheme}.png")
    browser.media("light")
    page = FleetPage(browser, path, Verdict())
    page.open_timeline()
    plot = browser.one("#plot").rect
    browser.driver.switch_to.default_content()
    frame = browser.one("#frame iframe").rect
    picture = Image.open(io.BytesIO(browser.driver.get_screenshot_as_png())).convert("RGB")
    top, left = int(frame["y"]), int(frame["x"])
    bottom = int(frame["y"] + plot["y"] + plot["height"])
    save(picture.crop((left, top, left + int(frame["width"]), bottom)), folder / "fleet-timeline.png")


def main(path, folder=None):
    browser, verdict = Browser(1280, 760), Verdict()
    try:
        if folder:
            return pictures(browser, path, folder)
        page = FleetPage(browser, path, verdict)
        page.filters()
        page.sparklines()
        barriers = browser.barriers()
        verdict.check("nothing stands in the way of those who do not see", not barriers, "\n".join(barriers))
        complaints = browser.complaints()
        page = FleetPage(browser, path, verdict)
        page.timeline()
        complaints += browser.complaints()
        verdict.check("the browser complains of nothing", not complaints, "\n".join(complaints))
    finally:
        browser.close()
    if verdict.failed:
        sys.exit(f"{verdict.failed} failed")


main(*sys.argv[1:])
