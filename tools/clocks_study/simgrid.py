"""The same core on SimGrid's SMPI: a simulator that others wrote, with contention and its own model of messages."""

from typing import Any

from .real import PAPERS, ask

PLATFORMS = {"flat": "flat", "fat tree": "fat-tree", "two level": "two-level"}
SIZES = (*((name, size) for size in (64, 256) for name in PLATFORMS), ("flat", 512), ("flat", 1024))
ALGORITHMS = ",".join(
    (
        "skampi(offset=skampi(exchanges=10))",
        "netgauge(offset=min-rtt(patience=5))",
        f"hca2(drift=regression({PAPERS},reanchor=off),offset=skampi(exchanges=10))",
        f"hca3(drift=regression({PAPERS},reanchor=on),offset=skampi(exchanges=10))",
        "hca3-offset",
        "ictus(fitpoints=10,exchanges=10,span=0)",
    )
)


def platforms() -> dict[str, dict[str, Any]]:
    """By platform and ranks: 64 to 1024 ranks with drifts of up to 20 ppm."""
    found = {}
    for name, size in SIZES:
        words = ("--platform", PLATFORMS[name], "-n", str(size), "--clocksync", ALGORITHMS, "--waits", "0,1s,5s,20s")
        clock = "skewed(base=wtime,offset=1s,drift=20ppm)"
        found[f"{name}, {size} ranks"] = ask(f"simgrid-{name}-{size}".replace(" ", "-"), *words, "--clock", clock)
    return found
