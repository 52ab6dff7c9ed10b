"""Runs every test of the page: `python Tests/EndToEnd/Timeline`, with PAGES naming the folder of pages."""

import pathlib
import sys
import unittest

from case import PageCase

suite = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent), pattern="test_*.py")
names = sys.argv[1:]
if names:
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{name}*" for name in names]
    suite = loader.discover(str(pathlib.Path(__file__).parent), pattern="test_*.py")
result = unittest.TextTestRunner(verbosity=2).run(suite)
if PageCase.browser:
    PageCase.browser.close()
failed = len(result.failures) + len(result.errors)
print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")
sys.exit(0 if failed == 0 and result.testsRun else 1)
