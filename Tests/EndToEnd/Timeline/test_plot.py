"""The timeline itself: lanes, marks, zoom, pan; by what is said and by what is painted."""

import os

from PIL import ImageChops
from selenium.webdriver.common.keys import Keys

from case import PageCase

VIOLATION, CRASH, GROUND = (213, 94, 0), (179, 0, 30), (255, 255, 255)
LABELS, AXIS = 232, 30


def is_near(one, other, room=24):
    return all(abs(a - b) <= room for a, b in zip(one, other))


def count(picture, colour, around, room=12):
    """How many pixels near a place have a colour."""
    x, y = int(around["x"]), int(around["y"])
    box = picture.crop((x - room, y - room, x + room, y + room))
    return sum(is_near(pixel, colour) for pixel in box.getdata())


class Lanes(PageCase):
    def test_the_main_queue_s_lane_is_on_top_and_everybody_has_one(self):
        page = self.open("market")
        lanes = self.browser.run("return timeline.lanes()")
        self.assertEqual([lane["kind"] for lane in lanes[:3]], ["life", "section", "queue"])
        self.assertEqual(lanes[2]["label"], "main queue")
        queues = {event["queue"] for event in page.events()} - {"", "com.apple.main-thread"}
        self.assertEqual(
            {lane["label"] for lane in lanes if lane["kind"] == "queue"}, queues | {"main queue"}
        )
        threads = {event["thread"] for event in page.events()}
        self.assertEqual(sum(lane["kind"] == "thread" for lane in lanes), len(threads))

    def test_lanes_are_chosen(self):
        self.open("market")
        for choice, kind in (("queues", "thread"), ("threads", "queue")):
            self.browser.run(
                "const field = document.getElementById('lanes'); field.value = arguments[0];"
                "field.dispatchEvent(new Event('change'))",
                choice,
            )
            self.assertNotIn(
                kind, [lane["kind"] for lane in self.browser.run("return timeline.lanes()")]
            )


class Marks(PageCase):
    def test_a_violation_is_painted_where_it_happened_and_a_click_on_it_selects_it(self):
        self.open("market")
        place = self.browser.place("order badge")
        picture = self.browser.plot_picture()
        self.assertGreater(count(picture, VIOLATION, place), 60)
        self.browser.click_plot(place["x"], place["y"])
        self.assertEqual(self.browser.text("#detail h3"), "order badge")
        self.assertIn("violation", self.browser.text("#detail .kind"))

    def test_the_crash_is_painted_through_all_lanes_and_a_click_on_it_selects_it(self):
        self.open("market")
        place = self.browser.place()
        picture = self.browser.plot_picture()
        self.assertGreater(count(picture, CRASH, place), 100)
        column = [
            picture.getpixel((int(place["x"]), y)) for y in range(AXIS + 20, picture.height - 8)
        ]
        self.assertGreater(sum(is_near(pixel, CRASH, 60) for pixel in column), len(column) * 0.6)
        self.browser.click_plot(place["x"], place["y"])
        self.assertTrue(self.browser.selection()["isCrash"])

    def test_the_background_is_told_from_the_foreground(self):
        page = self.open("market")
        picture = self.browser.plot_picture()
        moment = next(
            event["time"] for event in page.events() if event["message"] == "did enter background"
        )
        start, end = self.browser.window()
        x = LABELS + (moment - start) * (picture.width - 16 - LABELS) / (end - start)
        lane = next(
            lane
            for lane in self.browser.run("return timeline.lanes()")
            if lane["label"].endswith("disk")
        )
        y = int(lane["y"] + AXIS + 3)
        before = {picture.getpixel((int(x) - at, y)) for at in range(5, 25)}
        after = {picture.getpixel((int(x) + at, y)) for at in range(5, 25)}
        self.assertLessEqual(len(before), 2, "one even colour, and perhaps a line of the grid")
        self.assertGreater(len(after), 3, "stripes")

    def test_what_is_pointed_at_is_named(self):
        self.open("market")
        place = self.browser.place("order badge")
        self.browser.hover_plot(place["x"], place["y"])
        self.assertIn("violation: order badge", self.browser.text("#tip"))
        self.browser.hover_plot(place["x"], 4)
        self.assertFalse(self.browser.one("#tip").is_displayed())

    def test_work_has_a_bar_as_long_as_it_took(self):
        page = self.open("market")
        event = next(
            at
            for at, event in enumerate(page.events())
            if event["message"] == "index rebuild" and event["kind"] == "ui-work"
        )
        lines = page.timeline()
        row = lines["data"][event]
        shape = lines["shapes"][row[0]]
        took = next(
            row[at + 1] for at, (key, _) in enumerate(shape) if lines["texts"][key] == "nanoseconds"
        )
        picture = self.browser.plot_picture()
        lane = self.browser.run("return timeline.lanes()")[2]
        y = int(lane["y"] + AXIS + 9)
        blue = [
            x
            for x in range(LABELS, picture.width)
            if is_near(picture.getpixel((x, y)), (0, 114, 178), 12)
        ]
        runs, length, last = [], 0, -2
        for x in blue:
            length = length + 1 if x == last + 1 else 1
            runs.append(length)
            last = x
        start, end = self.browser.window()
        wide = took * (picture.width - 16 - LABELS) / (end - start)
        self.assertGreater(max(runs), wide - 4)
        # What waited for the main queue meanwhile follows at once, with short bars of its own.
        self.assertLess(max(runs), wide * 1.25 + 4)

    def alone(self, message):
        """Where an event is, so near that none of its lane is at the same place: a late timer makes up for what it missed."""
        for _ in range(40):
            place = self.browser.place(message)
            start, end = self.browser.window()
            if end - start < 1_000_000:
                return place
            self.browser.wheel(place["x"], place["y"], -400)
        self.fail("the wheel does not come near")

    def test_a_hop_is_followed_from_its_arrival_to_its_run(self):
        page = self.open("market")
        events = list(page.events())
        self.browser.tab_to("#plot")
        arrival = next(at for at, event in enumerate(events) if event["message"] == "arrival")
        self.browser.keys(Keys.ESCAPE)
        self.browser.run("timeline.place()")
        place = self.alone("arrival")
        self.browser.keys("f")
        self.browser.click_plot(place["x"], place["y"])
        self.assertEqual(self.browser.selection()["event"], arrival)
        self.assertRegex(
            self.browser.text("#detail"),
            r"arrived on com\.example\.market\.feed and ran .* later on main queue",
        )
        self.browser.keys("j")
        run = self.browser.selection()["event"]
        self.assertEqual(events[run]["message"], "run")
        self.assertGreater(run, arrival)


class Window(PageCase):
    def test_the_wheel_zooms_around_the_pointer(self):
        self.open("market")
        x = 700
        scale = lambda window: (1424 - 330 - LABELS) / (window[1] - window[0])
        before = self.browser.window()
        self.browser.wheel(x, 200, -400)
        after = self.browser.window()
        self.assertLess(after[1] - after[0], before[1] - before[0])
        width = self.browser.one("#plot").size["width"] - 16
        time = lambda window: (
            window[0]
            + (x - LABELS)
            * (window[1] - window[0])
            / (self.browser.run("return document.getElementById('plot').clientWidth") - 16 - LABELS)
        )
        self.assertAlmostEqual(time(before), time(after), delta=(after[1] - after[0]) / 100)
        self.assertGreater(width, 0)
        self.assertGreater(scale(after), scale(before))

    def test_buttons_and_keys_zoom_and_pan_and_show_the_whole(self):
        self.open("market")
        whole = self.browser.window()
        self.browser.click("#zoom-in")
        nearer = self.browser.window()
        self.assertLess(nearer[1] - nearer[0], whole[1] - whole[0])
        self.browser.tab_to("#plot")
        self.browser.keys("+")
        still = self.browser.window()
        self.assertLess(still[1] - still[0], nearer[1] - nearer[0])
        self.browser.keys("d")
        self.assertGreater(self.browser.window()[0], still[0])
        self.browser.keys("a")
        self.browser.keys("-")
        self.browser.click("#zoom-all")
        for one, other in zip(self.browser.window(), whole):
            self.assertAlmostEqual(one, other, delta=1000)

    def test_a_drag_pans(self):
        self.open("market")
        for _ in range(4):
            self.browser.click("#zoom-in")
        before = self.browser.window()
        self.browser.drag_plot((800, 250), (600, 250))
        after = self.browser.window()
        self.assertGreater(after[0], before[0])
        self.assertAlmostEqual(after[1] - after[0], before[1] - before[0], delta=1000)

    def test_the_window_never_leaves_the_recording(self):
        self.open("market")
        whole = self.browser.window()
        self.browser.tab_to("#plot")
        for _ in range(3):
            self.browser.keys("w")
        for key in "a" * 30 + "s" * 12:
            self.browser.keys(key)
        start, end = self.browser.window()
        self.assertGreaterEqual(start, whole[0] - 1)
        self.assertLessEqual(end, whole[1] + 1)

    def test_a_drag_in_the_overview_sets_the_window(self):
        self.open("market")
        whole = self.browser.window()
        box = self.browser.one("#overview").rect
        send = lambda kind, x: self.browser.driver.execute_cdp_cmd(
            "Input.dispatchMouseEvent",
            {
                "type": kind,
                "x": box["x"] + x,
                "y": box["y"] + 20,
                "button": "left",
                "buttons": 1,
                "clickCount": 1,
            },
        )
        send("mousePressed", 500)
        send("mouseMoved", 560)
        send("mouseMoved", 700)
        send("mouseReleased", 700)
        self.browser.settle()
        start, end = self.browser.window()
        self.assertLess(end - start, (whole[1] - whole[0]) * 0.4)

    def test_motion_is_reduced_where_that_is_asked_for(self):
        self.open("market")
        self.browser.run("document.querySelector('[data-finding]').click()")
        at_once = self.browser.window()
        self.browser.settle()
        self.assertEqual(self.browser.window(), at_once)
        self.browser.media(motion="no-preference")
        gliding = self.browser.run(
            "document.getElementById('zoom-all').click(); return timeline.window"
        )
        self.assertEqual(gliding, at_once, "it begins to move with the next frame")

    def test_a_narrow_window_is_used_without_scrolling_sideways(self):
        self.browser.size(420, 900)
        self.open("market")
        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), 420)


class Crowd(PageCase):
    def test_no_crumb_is_lost_from_sight_at_any_zoom(self):
        """Wherever a lane has a crumb, it has paint; checked against the data themselves."""
        page = self.open("crowd")
        self.assertGreater(len(page.timeline()["time"]), 90_000)
        times = {}
        signs = {}
        for event in page.events():
            if event["kind"] == "violation":
                signs.setdefault(event["queue"], []).append(event["time"])
            times.setdefault(event["queue"], []).append(event["time"])
        checked = 0
        for zoom in range(4):
            picture = self.browser.plot_picture()
            start, end = self.browser.window()
            wide = self.browser.run("return document.getElementById('plot').clientWidth")
            scale = (wide - 16 - LABELS) / (end - start)
            for lane in self.browser.run("return timeline.lanes()"):
                y = int(lane["y"] + lane["height"] / 2 + AXIS)
                if (
                    lane["kind"] != "queue"
                    or lane["label"] == "main queue"
                    or y > picture.height - 20
                ):
                    continue
                # Bars stay away from the lane's edge, and whatever crosses it is darker than the ground.
                edge = int(lane["y"] + AXIS + 2)
                row = (picture.getpixel((x, edge)) for x in range(LABELS + 4, wide - 8))
                ground = max(row, key=lambda pixel: sum(pixel[:3]))
                columns = {int(LABELS + (time - start) * scale) for time in times[lane["label"]]}
                for x in sorted(columns):
                    # A sign has a rim of the ground's colour.
                    rims = (
                        LABELS + (time - start) * scale for time in signs.get(lane["label"], [])
                    )
                    if not LABELS + 4 < x < wide - 8 or any(abs(rim - x) < 24 for rim in rims):
                        continue
                    # The ring of an arrival is empty in its middle.
                    near = {picture.getpixel((x + by, y)) for by in range(-4, 5)}
                    self.assertTrue(
                        any(not is_near(pixel, ground, 28) for pixel in near),
                        f"{lane['label']} at {x} of zoom {zoom}",
                    )
                    checked += 1
            for _ in range(3):
                self.browser.click("#zoom-in")
        self.assertGreater(checked, 500)

    def test_what_matters_is_seen_among_a_hundred_thousand(self):
        self.open("crowd")
        place = self.browser.place("the list is sorted")
        self.browser.run(
            "document.getElementById('plot').scrollTop += arguments[0]", place["y"] - 200
        )
        place = self.browser.place("the list is sorted")
        self.assertGreater(count(self.browser.plot_picture(), VIOLATION, place), 60)

    def test_a_frame_paints_no_more_than_a_screen_can_show(self):
        self.open("crowd")
        drawn = []
        for _ in range(8):
            self.browser.run("timeline.time()")
            drawn.append(self.browser.run("return timeline.frames.drawn"))
            self.browser.click("#zoom-in")
        self.assertLess(max(drawn), 12_000)

    def test_figures(self):
        """Prints how long a page of a hundred thousand crumbs takes; asserts nothing of it."""
        loads = []
        for _ in range(3):
            page = self.open("crowd")
            loads.append(
                self.browser.run(
                    "const [it] = performance.getEntriesByType('navigation'); return it.duration"
                )
            )
        frames = self.browser.run("""
            const times = []
            for (let at = 0; at < 60; at += 1) {
              document.getElementById(at % 12 < 6 ? 'zoom-in' : 'zoom-out').click()
              times.push(timeline.time())
            }
            return times.sort((one, other) => one - other)""")
        search = self.browser.run("""
            const field = document.getElementById('search')
            field.value = 'items/42'
            const start = performance.now()
            field.dispatchEvent(new Event('input'))
            return performance.now() - start""")
        print(
            f"\n  {len(page.timeline()['time']):,} crumbs in {len(page.text) / 1e6:.1f} MB: "
            f"load {min(loads):.0f} ms (fastest of 3); a frame {frames[0]:.1f} ms (fastest), "
            f"{frames[30]:.1f} ms (median of 60); a search {search:.0f} ms; "
            f"load of the machine {os.getloadavg()[0]:.0f}"
        )
        self.assertEqual(len(frames), 60)


class Filtered(PageCase):
    def test_a_kind_that_is_switched_off_is_no_longer_painted(self):
        self.open("market")
        place = self.browser.place("order badge")
        before = self.browser.plot_picture()
        self.assertGreater(count(before, VIOLATION, place), 60)
        self.browser.keys("l")
        boxes = self.browser.all('fieldset[data-part="kind"] label')
        next(box for box in boxes if "violation" in box.text).click()
        next(box for box in boxes if "UI work" in box.text).click()
        self.browser.keys("l")
        after = self.browser.plot_picture()
        self.assertLess(count(after, VIOLATION, place), 10)
        self.assertIsNotNone(ImageChops.difference(before, after).getbbox())
