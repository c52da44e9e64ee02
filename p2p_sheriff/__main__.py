"""Runs the program as ``python -m p2p_sheriff``."""

import sys

from p2p_sheriff.cli import main

sys.exit(main())
