"""Series of tries of `ictus advise`: a bad setting is planted, or none, and it is counted how often the circle finds
it, mends it, proves the gain in the program, or claims one that is not there.

    python -m tests.e2e.advise_series FOLDER     # the table of the tries that a folder has (ICTUS_TRIES)
    python -m tests.e2e.advise_series            # puts that of the published series into docs/studies/applications.md

A series is a file of lines of JSON, one a try; an interrupted one goes on.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from scipy import stats
from tests.engines import ROOT
from tools.marked_page import Marks

TRIES = 20
PUBLISHED = ROOT / "docs/data/advise-tries"
PAGE = ROOT / "docs/studies/applications.md"
SECTION = Marks("tries of advise", "python -m tests.e2e.advise_series")


@dataclass(frozen=True)
class Work:
    """Arguments of the example with halos in C and in Python: steps of two ranks, doubles that each step sums, cells.
    A step also sends 512 bytes to each neighbour.
    """

    c: tuple[int, ...]
    python: tuple[int, ...]


SUMS = Work((4000,), (2000,))
MESSAGES = Work((60000, 1, 64), (20000, 1, 64))
SHORT_SUMS = Work((16000, 512, 64), (20000, 512, 64))
MIDDLE_SUMS = Work((8000, 2048, 64), (1500, 131072, 64))
"""Longer in Python, of whose steps the sum is the smaller part."""
LONG_SUMS = Work((300, 131072, 64), (300, 131072, 64))


@dataclass(frozen=True)
class Planted:
    """Variables that a site might have set, and that make the program slow."""

    environment: Mapping[str, str] = field(default_factory=dict)
    work: Work = SUMS


def _at_any(planted: Planted) -> Mapping[int, Planted]:
    """The same at 2 and 4 ranks."""
    return {2: planted, 4: planted}


_TUNED = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "true", "OMPI_MCA_coll_tuned_priority": "90"}
_ALLREDUCE = "OMPI_MCA_coll_tuned_allreduce_algorithm"
_PIPELINES = {f"OMPI_MCA_coll_tuned_{one}_algorithm": "pipeline" for one in ("reduce", "bcast")}
"""Of both halves of an allreduce that does not overlap them."""
_ABOVE = {"MPIR_CVAR_DEVICE_COLLECTIVES": "percoll", "MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE": "0"}
_INTRA = "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"
_CHUNK = "MPIR_CVAR_ALLREDUCE_TREE_PIPELINE_CHUNK_SIZE"
_CELL = {"MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_CELL_SIZE": "192"}
_OPENMPI = {
    "healthy": _at_any(Planted()),
    "algorithm": {
        2: Planted({**_TUNED, _ALLREDUCE: "nonoverlapping"}, SHORT_SUMS),
        4: Planted({**_TUNED, _ALLREDUCE: "nonoverlapping", **_PIPELINES}, LONG_SUMS),
    },
    "segment": _at_any(Planted({**_TUNED, _ALLREDUCE: "segmented_ring", f"{_ALLREDUCE}_segmentsize": "64"})),
    "eager": _at_any(Planted({"OMPI_MCA_btl_sm_eager_limit": "256"}, MESSAGES)),
}
_MPICH = {
    "healthy": _at_any(Planted()),
    "algorithm": {n: Planted({**_ABOVE, _INTRA: "tree"}, work) for n, work in ((2, MIDDLE_SUMS), (4, LONG_SUMS))},
    "segment": _at_any(Planted({**_ABOVE, _INTRA: "tree", _CHUNK: "512"})),
    "eager": _at_any(Planted(_CELL, MESSAGES)),
}
PLANTED: Mapping[str, Mapping[str, Mapping[int, Planted]]] = {
    "openmpi": _OPENMPI,
    "mpich": _MPICH,
    "openmpi-debian": {
        **_OPENMPI,
        "algorithm": _at_any(Planted({**_TUNED, _ALLREDUCE: "ring"})),
        "eager": _at_any(Planted({"OMPI_MCA_btl_vader_eager_limit": "256"}, MESSAGES)),
    },
    # release 4 has no ring, and cuts messages of nonblocking collectives alone
    "mpich-debian": {name: one for name, one in _MPICH.items() if name not in ("algorithm", "segment")},
}
"""By library, kind, and number of ranks. What each costs in a program measures
test_what_is_planted_costs_the_program_a_fifth: of two ranks that share a cache, most algorithms take as long.
"""


@dataclass(frozen=True)
class Try:
    """What came of one."""

    seed: int
    found: bool
    """A guideline of a call that matters is violated, or a setting was fast enough in the program to be proven."""
    mended: bool
    """A remedy was tried in the program."""
    proven: bool
    """The program is said to run faster."""
    repeated: bool
    """Where it is said: whether fresh launches of the same pairs say it again."""
    ratio: float | None
    """Of run times with the best remedy to as it is."""
    spent_s: float


def try_of(seed: int, found: Mapping[str, Any], *, repeated: bool) -> Try:
    """A try by the answer of `ictus advise --json`."""
    ratios = [one["run_ratio"] for one in found["remedies"] if one["run_ratio"] is not None]
    return Try(
        seed=seed,
        found=any(row["guidelines"] for row in found["rows"]) or any(one["is_worth_a_proof"] for one in found["tried"]),
        mended=bool(found["remedies"]),
        proven=is_proven(found),
        repeated=repeated,
        ratio=min(ratios, default=None),
        spent_s=found["spent_s"],
    )


def is_proven(found: Mapping[str, Any]) -> bool:
    """Whether the answer claims a gain."""
    return any(one["gains"] for one in found["remedies"])


def kept_tries(file: Path) -> list[Try]:
    """Those of a series so far. A line that was being written when all ended is none."""
    lines = file.read_text("utf-8").splitlines(keepends=True) if file.is_file() else []
    return [Try(**json.loads(line)) for line in lines if line.endswith("\n")]


def keep(file: Path, one: Try) -> None:
    """Add a try to its series."""
    whole = [*kept_tries(file), one]
    file.write_text("".join(f"{json.dumps(asdict(each))}\n" for each in whole), "utf-8")


def interval(seen: Sequence[bool]) -> tuple[float, float]:
    """The 95 % interval of the share of tries, by Clopper and Pearson."""
    found = stats.binomtest(sum(seen), len(seen)).proportion_ci()
    return float(found.low), float(found.high)


def share(seen: Sequence[bool]) -> str:
    """`20 of 20 (0.83 … 1.00)`."""
    low, high = interval(seen)
    return f"{sum(seen)} of {len(seen)} ({low:.2f} … {high:.2f})"


def false_claims(tries: Iterable[Try]) -> list[bool]:
    """Of tries without anything planted: claims that fresh launches do not repeat."""
    return [one.proven and not one.repeated for one in tries]


def table(folder: Path) -> Iterator[str]:
    """The series of a folder as lines of a table in Markdown, each share with its interval."""
    yield "| series | found | mended | proven | falsely advised | run time, with the remedy to as it is | s of a try |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for file in sorted(folder.glob("*.jsonl")):
        tries = kept_tries(file)
        if not tries:
            continue
        healthy = "-healthy-" in file.name
        shares = [share([getattr(one, name) for one in tries]) for name in ("found", "mended", "proven")]
        false = share(false_claims(tries)) if healthy else "–"
        ratios = [one.ratio for one in tries if one.ratio is not None and one.proven]
        ratio = f"{min(ratios):.2f} … {max(ratios):.2f}, median {median(ratios):.2f}" if ratios else "–"
        spent = f"{min(one.spent_s for one in tries):.0f} … {max(one.spent_s for one in tries):.0f}"
        yield f"| {' | '.join((file.stem, *shares, false, ratio, spent))} |"


if __name__ == "__main__":
    if sys.argv[1:]:
        print("\n".join(table(Path(sys.argv[1]))))
    else:
        SECTION.write(PAGE, "\n".join(table(PUBLISHED)))
