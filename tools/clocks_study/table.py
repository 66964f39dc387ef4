"""The large table: every algorithm at one setting on many worlds, one seed each."""

from pathlib import Path
from typing import Any

from .simulate import run
from .worlds import FIRST_SEED, TABLED, Row

#: Small points of the papers' grid: 1000 fit points of 100 exchanges would be 51 million exchanges at 512 ranks.
PAPERS = "fitpoints=10,span=0,slope_test=off"
ALGORITHMS = (
    ("SKaMPI", "skampi(offset=skampi(exchanges=100))"),
    ("Netgauge", "netgauge"),
    ("JK", f"jk({PAPERS},reanchor=off,offset=mean-rtt(exchanges=10))"),
    ("HCA", f"hca(drift=regression({PAPERS},reanchor=off),offset=mean-rtt(exchanges=30))"),
    ("HCA2", f"hca2(drift=regression({PAPERS},reanchor=off),offset=mean-rtt(exchanges=30))"),
    ("HCA3", f"hca3(drift=regression({PAPERS},reanchor=on),offset=skampi(exchanges=30))"),
    ("HCA3O", "hca3-offset"),
    ("hierarchical", f"hierarchical(hca3(drift=regression({PAPERS}),offset=skampi(exchanges=30)),hca3-offset)"),
    ("ictus, proven", "ictus(fitpoints=50,exchanges=10,arity=2,span=0)"),
    ("ictus, symmetric", "ictus(fitpoints=50,exchanges=10,arity=2,span=0,asymmetry=0)"),
)
#: hierarchical is for hosts of several ranks.
HOSTS = "two level"


def rows(program: Path) -> list[tuple[Row, str, dict[str, Any]]]:
    """(world, the paper's name, result) of each line of the table."""
    wanted = [
        (row, name, spec)
        for row in TABLED
        for name, spec in ALGORITHMS
        if name != "hierarchical" or row.platform == HOSTS
    ]
    results = run(program, "table", [(row.world(FIRST_SEED), spec) for row, _, spec in wanted])
    return [(row, name, result) for (row, name, _), result in zip(wanted, results, strict=True)]
