"""Search, filters, keys, the table: what a person does besides looking."""

from selenium.webdriver.common.keys import Keys

from case import PageCase


class Search(PageCase):
    def test_it_finds_what_the_data_have_and_goes_from_hit_to_hit(self):
        page = self.open("market")
        wanted = sum("page written" in event["message"] for event in page.events())
        self.browser.one("#search").send_keys("Page Writ")
        self.browser.settle()
        self.assertEqual(self.browser.text("#hits"), f"{wanted} hits")
        self.browser.one("#search").send_keys(Keys.ENTER)
        first = self.browser.selection()["event"]
        self.assertEqual(self.browser.text("#hits"), f"1 of {wanted}")
        self.browser.one("#search").send_keys(Keys.ENTER)
        second = self.browser.selection()["event"]
        self.assertGreater(second, first)
        self.browser.one("#search").send_keys(Keys.SHIFT, Keys.ENTER)
        self.assertEqual(self.browser.selection()["event"], first)
        self.browser.one("#search").send_keys(Keys.ESCAPE)
        self.assertEqual(self.browser.text("#hits"), "")
        self.assertEqual(self.browser.one("#search").get_attribute("value"), "")

    def test_it_looks_into_data_queues_and_stacks(self):
        self.open("market")
        for word in ("lindqvist", "market.disk", "showTotal", "7006"):
            self.browser.run(
                "const field = document.getElementById('search'); field.value = arguments[0];"
                "field.dispatchEvent(new Event('input'))",
                word,
            )
            self.assertGreater(self.browser.run("return timeline.counts.hits"), 0, word)

    def test_what_is_not_there_is_said(self):
        self.open("market")
        self.browser.one("#search").send_keys("no such thing")
        self.assertEqual(self.browser.text("#hits"), "no hits")

    def test_letters_typed_are_no_commands(self):
        self.open("market")
        before = self.browser.window()
        self.browser.one("#search").send_keys("wwwnnn?")
        self.assertEqual(self.browser.window(), before)
        self.assertFalse(self.browser.run("return document.getElementById('key-sheet').open"))


class Filters(PageCase):
    def shown(self):
        return self.browser.run("return timeline.counts.shown")

    def switch(self, part, name):
        for box in self.browser.all(f'fieldset[data-part="{part}"] label'):
            if name in box.text:
                box.click()
                self.browser.settle()
                return
        self.fail(f"no {part} {name}")

    def test_categories_threads_and_queues_are_switched_off_and_on(self):
        page = self.open("market")
        events = list(page.events())
        self.browser.click("#filter")
        self.switch("category", "feed")
        left = [
            event
            for event in events
            if not (event["kind"] == "note" and event["category"] == "feed")
        ]
        self.assertEqual(self.shown(), len(left))
        self.switch("queue", "com.example.market.disk")
        left = [event for event in left if event["queue"] != "com.example.market.disk"]
        self.assertEqual(self.shown(), len(left))
        self.assertNotIn(
            "com.example.market.disk",
            [lane["label"] for lane in self.browser.run("return timeline.lanes()")],
        )
        self.switch("thread", "thread 3")
        left = [event for event in left if event["thread"] != 3]
        self.assertEqual(self.shown(), len(left))
        self.assertEqual(self.browser.text("#filter"), "Filter (3)")
        self.assertIn(f"{len(left)} crumbs shown", self.browser.said())
        self.browser.click("#filter-panel .last button")
        self.assertEqual(self.shown(), len(events))

    def test_a_hang_goes_with_the_main_queue_which_it_is_about(self):
        page = self.open("market")
        hangs = [event for event in page.events() if event["kind"] == "hang"]
        self.assertTrue(hangs)
        kept = [
            event
            for event in page.events()
            if event["kind"] != "hang" and event["queue"] != "com.apple.main-thread"
        ]
        self.browser.click("#filter")
        self.switch("queue", "main queue")
        self.assertEqual(self.shown(), len(kept))

    def test_none_and_all(self):
        page = self.open("market")
        self.browser.click("#filter")
        self.browser.click('button[aria-label="Kinds: none"]')
        self.assertEqual(self.shown(), 0)
        self.browser.click('button[aria-label="Kinds: all"]')
        self.assertEqual(self.shown(), len(page.timeline()["time"]))


class Keyboard(PageCase):
    def test_arrows_go_through_a_lane_and_from_lane_to_lane(self):
        page = self.open("market")
        events = list(page.events())
        self.browser.tab_to("#plot")
        self.browser.keys(Keys.HOME)
        first = self.browser.selection()["event"]
        self.browser.keys(Keys.ARROW_RIGHT)
        second = self.browser.selection()["event"]
        self.assertEqual(events[first]["queue"], "com.apple.main-thread")
        following = [
            at
            for at, event in enumerate(events)
            if event["queue"] == "com.apple.main-thread" and at > first
        ]
        self.assertEqual(second, following[0])
        self.assertIn("main queue", self.browser.said())
        self.browser.keys(Keys.ARROW_LEFT)
        self.assertEqual(self.browser.selection()["event"], first)
        self.browser.keys(Keys.ARROW_DOWN)
        self.assertEqual(
            events[self.browser.selection()["event"]]["queue"], "com.example.market.feed"
        )
        self.browser.keys(Keys.END)
        last = max(
            at for at, event in enumerate(events) if event["queue"] == "com.example.market.feed"
        )
        self.assertEqual(self.browser.selection()["event"], last)

    def test_findings_violations_and_the_crash_have_keys(self):
        page = self.open("market")
        self.assertEqual(self.browser.selection()["finding"], 0, "the page opens with it")
        self.browser.tab_to("#plot")
        self.browser.keys("n")
        self.assertEqual(self.browser.selection()["finding"], 1)
        self.browser.keys("p")
        self.assertEqual(self.browser.selection()["finding"], 0)
        self.browser.keys(Keys.ESCAPE)
        self.assertIsNone(self.browser.selection())
        self.browser.keys("v")
        self.assertEqual(
            list(page.events())[self.browser.selection()["event"]]["kind"], "violation"
        )
        self.browser.keys("c")
        self.assertTrue(self.browser.selection()["isCrash"])

    def test_the_keys_are_listed_and_the_list_is_left(self):
        self.open("market")
        self.browser.tab_to("#plot")
        self.browser.keys("?")
        self.assertIn("zoom in", self.browser.text("#key-sheet"))
        self.browser.keys(Keys.ESCAPE)
        self.assertFalse(self.browser.run("return document.getElementById('key-sheet').open"))

    def test_single_letters_can_be_switched_off(self):
        self.open("market")
        self.browser.click("#keys")
        self.browser.click("#single-keys")
        self.browser.click("#close-keys")
        before = self.browser.window()
        self.browser.tab_to("#plot")
        self.browser.keys("w")
        self.assertEqual(self.browser.window(), before)
        self.browser.keys(Keys.HOME)
        self.assertIsNotNone(self.browser.selection(), "keys that are no letters go on")

    def test_focus_is_seen_and_goes_through_the_whole_page(self):
        self.open("market")
        reached = set()
        for _ in range(40):
            self.browser.keys(Keys.TAB)
            reached.add(
                self.browser.run(
                    "return document.activeElement.id || document.activeElement.className"
                )
            )
            width = self.browser.run("return getComputedStyle(document.activeElement).outlineWidth")
            self.assertNotEqual(
                width, "0px", self.browser.run("return document.activeElement.outerHTML")
            )
        self.assertTrue(
            {"search", "filter", "as-table", "theme", "keys", "rule", "lanes", "zoom-in", "plot"}
            <= reached,
            reached,
        )


class Table(PageCase):
    def test_it_has_the_same_crumbs_in_words(self):
        page = self.open("market")
        events = list(page.events())
        self.browser.click("#as-table")
        self.assertFalse(self.browser.one("#stage").is_displayed())
        rows = self.browser.all("#table tbody tr")
        self.assertEqual(len(rows), 200)
        self.assertIn(events[3]["message"], rows[3].text)
        self.browser.click('#table button[aria-label="Next page"]')
        self.assertEqual(len(self.browser.all("#table tbody tr")), len(events) - 200)
        self.browser.all("#table tbody tr .link")[1].click()
        self.assertEqual(self.browser.selection()["event"], 201)
        self.assertEqual(self.browser.text("#detail h3"), events[201]["message"])
        self.browser.click("#as-table")
        self.assertTrue(self.browser.one("#stage").is_displayed())

    def test_a_search_leaves_its_hits(self):
        self.open("market")
        self.browser.click("#as-table")
        self.browser.one("#search").send_keys("settle")
        self.browser.settle()
        rows = self.browser.all("#table tbody tr")
        self.assertEqual(len(rows), self.browser.run("return timeline.counts.hits"))
        self.assertGreater(len(rows), 0)
