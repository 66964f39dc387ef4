"""Real ranks with clocks of known skew, and the simulator of others: both through `ictus clocks accuracy`."""

import json
from typing import Any

from tools.ictus_command import ictus

from .simulate import BUILD

#: Small points: oversubscribed ranks take milliseconds for an exchange.
PAPERS = "fitpoints=10,span=0,slope_test=off"
REAL = ",".join(
    (
        "skampi(offset=skampi(exchanges=30))",
        "netgauge(offset=min-rtt(patience=20))",
        f"jk({PAPERS},reanchor=off,offset=mean-rtt(exchanges=10,rtt_exchanges=30))",
        f"hca(drift=regression({PAPERS},reanchor=off),offset=mean-rtt(exchanges=10,rtt_exchanges=30))",
        f"hca2(drift=regression({PAPERS},reanchor=off),offset=mean-rtt(exchanges=10,rtt_exchanges=30))",
        f"hca3(drift=regression({PAPERS},reanchor=on),offset=skampi(exchanges=10))",
        "hca3-offset",
        "hierarchical(hca3-offset,hca3-offset)",
        "ictus(fitpoints=20,exchanges=10,span=20ms)",
    )
)


def ask(name: str, *words: str) -> dict[str, Any]:
    """What `ictus clocks accuracy --json` says; kept, so that a study that was interrupted goes on."""
    kept = BUILD / f"{name}.json"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(ictus("clocks", "accuracy", "--json", *words), "utf-8")
    document: dict[str, Any] = json.loads(kept.read_text("utf-8"))
    return document


def real_ranks(library: str) -> dict[str, Any]:
    """2 to 8 ranks of one library, drifts of up to 20 ppm, offsets of seconds."""
    words = ("-m", library, "-n", "2,3,4,5,6,7,8", "--clocksync", REAL, "--waits", "0,1s,5s,20s")
    return ask(
        f"real-{library}", *words, "--clock", "skewed(base=monotonic,offset=2s,drift=20ppm)", "--timeout", "3600s"
    )
