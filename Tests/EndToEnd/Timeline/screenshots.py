"""Takes the pictures of the README: `screenshots.py PAGE DIRECTORY`."""

import io
import pathlib
import sys

from PIL import Image

from browser import Browser


def save(picture, path):
    """With as few colours as tell them apart: a page is flat, so a small file shows it all."""
    palette = picture.quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=1)
    picture.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)


def main(page, directory):
    browser = Browser(1280, 760)
    for scheme in ("light", "dark"):
        browser.media(scheme)
        browser.open(page)
        # The violation, and near enough to tell it from the crash that followed.
        last = browser.one("#finding-list li li:last-child button")
        last.click()
        browser.tab_to("#plot")
        browser.keys("f")
        browser.keys("w")
        browser.keys("w")
        picture = Image.open(io.BytesIO(browser.driver.get_screenshot_as_png())).convert("RGB")
        save(picture, pathlib.Path(directory) / f"timeline-{scheme}.png")
    complaints = browser.complaints()
    browser.close()
    if complaints:
        sys.exit("\n".join(complaints))


main(*sys.argv[1:])
