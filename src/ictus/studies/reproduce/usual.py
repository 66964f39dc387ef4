"""What a study of reproducibility measures where nothing else is said; light, for the command line tells it."""

from typing import Any

SUITES = "osu,imb,skampi"
FULL: dict[str, Any] = {"op": "bcast", "sizes": "8..32Ki", "launches": 30, "nrep": 1000}
QUICK: dict[str, Any] = {"op": "bcast", "sizes": "8,1Ki,32Ki", "launches": 5, "nrep": 100}
"""By TOML key."""
TRIALS, QUICK_TRIALS = 30, 5
