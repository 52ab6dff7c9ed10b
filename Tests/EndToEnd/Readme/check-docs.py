"""Opens the documentation site in Chromium and follows every link: `check-docs.py SITE`.

Starts at the index of the site. Each page has to show its title, and each link within the site has to lead to a page; every library has
an article, and the index links to it.
"""

import collections
import contextlib
import functools
import http.server
import os
import pathlib
import sys
import threading
import time
import urllib.parse

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

ROOT = pathlib.Path(__file__).resolve().parents[3]
SITE = pathlib.Path(sys.argv[1]).resolve()
# Nothing is measured by it: a page that shows no title by then shows none.
PATIENCE = 60
READ = """
const heading = document.querySelector('main h1, .doc-topic h1, h1');
return {title: heading ? heading.innerText.trim() : '', missing: !!document.querySelector('.not-found, .error-content'),
        links: [...document.querySelectorAll('a[href]')].map(link => link.href)};
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


@contextlib.contextmanager
def chromium():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--disable-gpu", "--window-size=1440,900", *(["--no-sandbox"] if os.geteuid() == 0 else [])):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    try:
        yield driver
    finally:
        driver.quit()


def opened(driver, address):
    driver.get(address)
    end = time.monotonic() + PATIENCE
    while True:
        page = driver.execute_script(READ)
        if page["title"] or page["missing"] or time.monotonic() > end:
            return page
        time.sleep(0.02)


def main():
    libraries = {catalog.stem.lower() for catalog in (ROOT / "Sources").glob("*/*/*.docc")}
    faults, seen, articles = [], set(), set()
    with served(SITE) as origin, chromium() as driver:
        queue = collections.deque([("the site", f"{origin}/documentation/")])
        while queue:
            source, address = queue.popleft()
            parts = urllib.parse.urlsplit(address)
            path = parts.path.rstrip("/").lower()
            if not address.startswith(origin) or path in seen:
                continue
            seen.add(path)
            if not (SITE / path.lstrip("/") / "index.html").exists():
                faults.append(f"{source}: {parts.path} is no page")
                continue
            page = opened(driver, address)
            if page["missing"] or not page["title"]:
                faults.append(f"{source}: {parts.path} shows no title")
            if path.count("/") == 2:
                articles.add(path.rsplit("/", 1)[1])
            queue += [(path, link.partition("#")[0]) for link in page["links"]]
        severe = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    faults += [f"{library}: the index does not lead to it" for library in sorted(libraries - articles)]
    faults += [f"the browser says: {message}" for message in severe if "favicon" not in message]
    print("\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    print(f"check-docs: {len(seen)} pages of {len(articles)} libraries, {len(faults)} faults")
    sys.exit(bool(faults) or not seen)


main()
