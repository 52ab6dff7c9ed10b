"""For `python -m mainstay_fleet` and for spark-submit, which wants a file."""

import sys

from mainstay_fleet.cli import main

sys.exit(main())
