"""A page for everybody: contrast, names, roles, print; and for nobody's malice."""

import io
import unicodedata

import pypdf
from PIL import Image
from selenium.webdriver.common.keys import Keys

from case import PageCase


class Access(PageCase):
    def test_no_barriers_in_either_scheme(self):
        for scheme in ("light", "dark"):
            self.browser.media(scheme)
            for name in ("market", "empty"):
                self.open(name)
                self.assertEqual(self.browser.barriers(), [], f"{name}, {scheme}")

    def test_no_barriers_whatever_is_open(self):
        for scheme in ("light", "dark"):
            self.browser.media(scheme)
            self.open("market")
            self.browser.click("[data-finding]")
            self.assertEqual(self.browser.barriers(), [], f"a finding, {scheme}")
            self.browser.click("#filter")
            self.assertEqual(self.browser.barriers(), [], f"the filter, {scheme}")
            self.browser.one("#search").send_keys("orders")  # Fewer rows are no less of a table.
            self.browser.click("#as-table")
            self.assertEqual(self.browser.barriers(), [], f"the table, {scheme}")
            self.browser.click("#keys")
            self.assertEqual(self.browser.barriers(), [], f"the keys, {scheme}")

    def test_the_scheme_is_the_system_s_until_another_is_chosen(self):
        ground = lambda: self.browser.run("return getComputedStyle(document.body).backgroundColor")
        self.browser.media("dark")
        self.open("market")
        dark = ground()
        corner = self.browser.plot_picture().getpixel((600, 8))
        self.browser.media("light")
        self.browser.settle()
        self.assertNotEqual(ground(), dark)
        self.assertNotEqual(
            self.browser.plot_picture().getpixel((600, 8)), corner, "the plot follows"
        )
        self.browser.click("#theme")
        self.browser.click("#theme")
        self.assertEqual(self.browser.text("#theme"), "Theme: dark")
        self.assertEqual(ground(), dark)
        self.browser.click("#theme")
        self.assertEqual(self.browser.text("#theme"), "Theme: system")

    def test_landmarks_and_what_is_selected_are_told(self):
        self.open("market")
        names = self.browser.run(
            "return [...document.querySelectorAll('main > section')]"
            ".map((part) => part.getAttribute('aria-labelledby'))"
        )
        self.assertEqual(names, ["findings-title", "timeline-title", "details-title"])
        self.assertRegex(
            self.browser.one("#plot").get_attribute("aria-label"),
            r"Timeline of timeline-scene: \d+ crumbs, \d+ threads, \d+ queues",
        )
        self.browser.tab_to("#plot")
        self.browser.keys("v")
        self.assertRegex(
            self.browser.said(),
            r"violation: order badge, .*, com\.example\.market\.orders, .*off the main queue",
        )


class Print(PageCase):
    def printed(self):
        """The text of the paper, without what its setting adds."""
        pdf = pypdf.PdfReader(io.BytesIO(self.browser.pdf()))
        return unicodedata.normalize(
            "NFKC", "".join("".join(page.extract_text().split()) for page in pdf.pages)
        )

    def paper(self):
        """The paper as a picture: the screen, as it is laid out for print."""
        self.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.browser.run("dispatchEvent(new Event('beforeprint'))")
        self.browser.settle()
        picture = Image.open(io.BytesIO(self.browser.driver.get_screenshot_as_png())).convert("RGB")
        self.browser.run("dispatchEvent(new Event('afterprint'))")
        self.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        return picture

    def test_paper_has_the_timeline_and_the_findings_in_full(self):
        page = self.open("market")
        text = self.printed()
        squeezed = lambda words: unicodedata.normalize("NFKC", "".join(words.split()))
        for finding in page.findings:
            self.assertIn(squeezed(finding["title"]), text)
            self.assertIn(squeezed(finding["fix"]["text"]), text)
            for step in finding["cause"]:
                self.assertIn(squeezed(step["text"]), text)
        for lane in ("mainqueue", "com.example.market.feed", "SIGILL"):
            self.assertIn(lane, text, "the timeline's own words")
        self.assertNotIn("Theme:", text)
        self.assertTrue(self.browser.one("#plot").is_displayed(), "the screen is as before")

    def test_a_dark_screen_prints_light_with_the_marks_in_their_colours(self):
        self.browser.media("dark")
        self.open("market")
        picture = self.paper()
        self.assertEqual(picture.getpixel((4, 4)), (255, 255, 255))
        pixels = list(picture.getdata())
        for colour in ((213, 94, 0), (179, 0, 30), (0, 114, 178)):
            self.assertGreater(sum(pixel == colour for pixel in pixels), 40, colour)


class Malice(PageCase):
    def test_hostile_texts_are_texts(self):
        page = self.open("hostile")
        self.assertEqual(page.text.count("</script"), 2)
        for number in range(len(page.findings)):
            self.browser.click(f'[data-finding="{number}"]')
        self.browser.tab_to("#plot")
        self.browser.keys(Keys.HOME, *[Keys.ARROW_RIGHT] * 4, *[Keys.ARROW_DOWN] * 6)
        self.browser.click("#filter")
        self.browser.click("#as-table")
        shown = self.browser.text("#table")
        for literal in (
            "</script><script>window.owned=1</script>",
            "<img src=x onerror=",
            "<svg onload=",
            "&lt;b&gt;&amp;",
            "{{script}}",
            "\\u{202E}gnp.exe",
            "\\u{1B}[2J",
            "\\u{2028}window.owned=1",
        ):
            self.assertIn(literal, shown)
        self.assertIsNone(self.browser.run("return window.owned ?? null"))
        self.assertEqual(self.browser.run("return document.scripts.length"), 2)
        self.assertEqual(
            self.browser.run(
                "return document.querySelectorAll("
                "'img, svg, iframe, object, [onclick], [onerror]').length"
            ),
            0,
        )
        self.assertEqual(
            self.browser.run("return ({}).owned ?? null"), None, "no prototype was touched"
        )
        self.browser.pdf()
        self.assertIsNone(self.browser.run("return window.owned ?? null"))

    def test_the_policy_lets_no_other_script_run_and_nothing_be_fetched(self):
        self.open("market")
        self.assertEqual(
            self.browser.run("return performance.getEntriesByType('resource').length"), 0
        )
        outcome = self.browser.driver.execute_async_script("""
            const done = arguments[0]
            const refused = []
            document.addEventListener('securitypolicyviolation',
              (event) => refused.push(event.effectiveDirective))
            try { document.body.innerHTML = '<b>x</b>' } catch { refused.push('trusted-types') }
            const script = document.createElement('script')
            try {
              script.textContent = 'window.owned = 1'
              document.body.append(script)
            } catch { refused.push('script-text') }
            const style = document.createElement('style')
            style.textContent = 'body { display: none }'
            document.head.append(style)
            const picture = document.createElement('img')
            picture.src = 'https://example.com/x.png'
            document.body.append(picture)
            fetch('https://example.com/').catch(() => {}).finally(() =>
              setTimeout(() => done([refused, window.owned ?? null]), 50))""")
        refused, owned = outcome
        self.assertIsNone(owned)
        for directive in ("trusted-types", "style-src-elem", "img-src", "connect-src"):
            self.assertIn(directive, refused)
        self.browser.complaints()  # The refusals are told there, as they should be.


class Sparse(PageCase):
    def test_a_log_without_crumbs_says_so(self):
        self.open("empty")
        self.assertIn("no crumbs", self.browser.text("#empty"))
        self.assertFalse(self.browser.one("#stage").is_displayed())

    def test_a_run_without_findings_says_so(self):
        self.open("quiet")
        self.assertIn("Nothing went wrong", self.browser.text("#finding-list"))
        self.assertIn("exited normally", self.browser.text("#facts"))
        self.assertTrue(self.browser.one("#plot").is_displayed())

    def test_a_report_of_one_moment_shows_its_threads(self):
        self.open("moment")
        self.assertIn("one moment", self.browser.text("#empty"))
        self.assertIn("threads are below", self.browser.text("#empty"))
        self.assertIn("THREADS AT THAT MOMENT", self.browser.text("#detail"))
        self.browser.click("[data-finding]")
        self.assertTrue(self.browser.all("#detail .stack li"))

    def test_a_report_with_crumbs_of_another_tool_has_a_timeline(self):
        page = self.open("sentry")
        self.assertGreater(len(page.timeline()["time"]), 1)
        self.assertTrue(self.browser.one("#plot").is_displayed())
        self.browser.click("[data-finding]")
        self.assertIn("FIX", self.browser.text("#detail"))

    def test_a_report_whose_crumbs_have_no_times_shows_none(self):
        page = self.open("untold")
        self.assertEqual(len(page.timeline()["untimed"]), len(page.timeline()["time"]))
        self.assertIn("does not say when", self.browser.text("#empty"))
        self.assertFalse(self.browser.one("#plot").is_displayed())

    def test_a_report_of_summaries_shows_findings_and_says_why_there_is_no_timeline(self):
        self.open("merged")
        self.assertIn("made from summaries", self.browser.text("#empty"))
        self.browser.click("[data-finding]")
        self.assertIn("FIX", self.browser.text("#detail"))
