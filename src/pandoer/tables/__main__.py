"""``python -m pandoer.tables pandur OUT.npz``: see `pandoer.tables.make`."""

from __future__ import annotations

import sys

from pandoer.tables.make import main

if __name__ == "__main__":
    sys.exit(main())
