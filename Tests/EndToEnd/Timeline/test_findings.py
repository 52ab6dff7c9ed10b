"""Findings: the list, the details, and where they are in the timeline."""

import json
import os

from case import PAGES, PageCase


class Findings(PageCase):
    def test_the_head_says_whose_log_it_is_and_how_it_ended(self):
        page = self.open("market")
        self.assertEqual(self.browser.text("h1"), "timeline-scene")
        facts = self.browser.text("#facts")
        self.assertIn("crashed, SIGILL", facts)
        self.assertIn(f"{len(page.timeline()['time'])} crumbs", facts)

    def test_the_list_has_every_finding_of_the_report(self):
        self.open("market")
        with open(f"{PAGES}/market.json") as file:
            report = json.load(file)
        titles = [found.text for found in self.browser.all("#finding-list .title")]
        self.assertEqual(sorted(titles), sorted(found["title"] for found in report["findings"]))
        self.assertGreater(len(titles), 4)

    def test_a_click_shows_a_finding_with_all_that_belongs_to_it(self):
        page = self.open("market")
        number = next(
            at for at, found in enumerate(page.findings) if found["rule"] == "off-main-ui"
        )
        finding = page.findings[number]
        self.browser.click(f'[data-finding="{number}"]')
        shown = self.browser.text("#detail")
        self.assertEqual(self.browser.text("#detail h3"), finding["title"])
        for part in (
            "OPEN FIRST",
            "FIX",
            "BECAUSE",
            "HOW IT GOT THERE",
            "STACK",
            "CRUMBS AROUND IT",
        ):
            self.assertIn(part, shown)
        self.assertIn(finding["culprit"]["function"], shown)
        self.assertIn(finding["fix"]["text"], shown)
        for step in finding["cause"]:
            self.assertIn(step["text"], shown)
        marked = self.browser.text("#detail .line.marked")
        self.assertIn(finding["culprit"]["source"], marked)
        self.assertIn(str(finding["culprit"]["line"]), marked)
        self.assertTrue(
            self.browser.all("#detail .stack li.code"), "the program's own frames stand out"
        )

    def test_a_click_brings_a_finding_into_view(self):
        page = self.open("market")
        whole = self.browser.window()
        number = next(
            at for at, found in enumerate(page.findings) if "order badge" in found["title"]
        )
        self.browser.click(f'[data-finding="{number}"]')
        start, end = self.browser.window()
        self.assertLess(end - start, (whole[1] - whole[0]) / 2)
        event = self.browser.selection()["event"]
        time = list(page.events())[event]["time"]
        self.assertLess(start, time)
        self.assertLess(time, end)
        self.assertEqual(
            self.browser.one(f'[data-finding="{number}"]').get_attribute("aria-current"), "true"
        )
        self.assertIn(page.findings[number]["title"], self.browser.said())

    def test_the_crash_s_finding_is_at_the_crash(self):
        page = self.open("market")
        number = next(
            at for at, found in enumerate(page.findings) if found["rule"] == "crash-cause"
        )
        self.browser.click(f'[data-finding="{number}"]')
        self.assertTrue(self.browser.selection()["isCrash"])
        start, end = self.browser.window()
        self.assertTrue(start < page.timeline()["crash"]["time"] < end)

    def test_occurrences_are_gone_through(self):
        page = self.open("market")
        number = next(
            at for at, found in enumerate(page.findings) if "row layout" in found["title"]
        )
        self.browser.click(f'[data-finding="{number}"]')
        first = self.browser.selection()["event"]
        self.browser.click('#detail button[aria-label="Next occurrence"]')
        second = self.browser.selection()["event"]
        self.assertGreater(second, first)
        self.assertEqual(list(page.events())[second]["message"], "row layout")
        self.assertIn("occurrence 2 of", self.browser.text("#detail .steps"))

    def test_a_crumb_around_a_finding_is_a_way_to_it(self):
        page = self.open("market")
        number = next(
            at for at, found in enumerate(page.findings) if "order badge" in found["title"]
        )
        self.browser.click(f'[data-finding="{number}"]')
        link = self.browser.one("#detail table .link")
        words = link.text
        link.click()
        event = list(page.events())[self.browser.selection()["event"]]
        self.assertIn(event["message"], words)

    def test_the_list_is_filtered_by_rule(self):
        page = self.open("market")
        before = len(self.browser.all("#finding-list .finding"))
        self.browser.run(
            "const field = document.getElementById('rule'); field.value = 'isolation-trap';"
            "field.dispatchEvent(new Event('change'))"
        )
        shown = self.browser.all("#finding-list .finding")
        self.assertEqual(
            len(shown), sum(found["rule"] == "isolation-trap" for found in page.findings)
        )
        self.assertLess(len(shown), before)

    def test_a_link_leads_to_a_finding(self):
        page = self.open("market", "#finding-2")
        self.assertEqual(self.browser.text("#detail h3"), page.findings[1]["title"])

    def test_the_report_of_many_recordings_shows_each(self):
        page = self.open("several")
        self.assertEqual(len(page.data["runs"]), 3)
        self.assertEqual(len(self.browser.all("#run option")), 3)
        here = self.browser.text("#facts")
        other = next(
            at
            for at, found in enumerate(page.findings)
            if found["incident"] != page.data["runs"][0]["identity"]
        )
        self.browser.click(f'[data-finding="{other}"]')
        self.assertNotEqual(self.browser.text("#facts"), here)
        self.assertEqual(self.browser.text("#detail h3"), page.findings[other]["title"])
        self.assertEqual(self.browser.selection()["finding"], other)
        self.assertEqual(
            self.browser.one("#run").get_attribute("selectedIndex"),
            str(
                next(
                    at
                    for at, run in enumerate(page.data["runs"])
                    if run["identity"] == page.findings[other]["incident"]
                )
            ),
        )

    def test_pages_are_as_the_command_left_them(self):
        self.assertEqual(
            os.listdir(PAGES + "/beside"), ["report.html"], "one file, and nothing beside it"
        )
