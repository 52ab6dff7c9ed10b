"""What every test of the page has: one browser, and pages of real logs."""

import os
import unittest

from browser import Browser

PAGES = os.environ["PAGES"]


class PageCase(unittest.TestCase):
    maxDiff = None
    browser = None

    @classmethod
    def setUpClass(cls):
        if PageCase.browser is None:
            PageCase.browser = Browser()

    def setUp(self):
        self.browser.size(1440, 900)
        self.browser.media()

    def open(self, name, fragment=""):
        return self.browser.open(f"{PAGES}/{name}.html", fragment)

    def tearDown(self):
        """No page ever complains, whatever is done to it."""
        self.assertEqual(self.browser.complaints(), [])
