"""Rounds of a suite and its lens, and how the two numbers of a call are related."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.lens_counterparts.suites import CALLS, SIZES, Suite, headline

from ictus.model.job import Job
from ictus.model.library import Installation
from ictus.mpi.command import launch
from ictus.mpi.machine import usable_cores
from ictus.stats.compare import CaseComparison, compare_cases
from ictus.stats.verdict import CaseRules

ICTUS = Path(sys.executable).with_name("ictus")

TOLERANCE = 0.10
"""Suites print two digits of short times, and their buffers and clock readings are not ours."""
NARROW = 1.4
"""The interval's upper limit in relation to its lower one, up to which it says something."""
FIRST, EVERY = 8, 4
"""Rounds before the intervals are looked at for the first time, and from then on."""
CONTROL = "phloem(barrier)"
"""A lens with other ideas: the check must find that it is not the suite's, or it would find nothing."""
AGREES, DISAGREES, UNDECIDED = "agrees", "disagrees", "too noisy to tell"


@dataclass(frozen=True)
class Row:
    """What a suite printed of one call, what a lens said of it, round by round, and how the two are related."""

    operation: str
    size: int
    printed_s: list[float]
    lens_s: list[float]
    control_s: list[float]

    @property
    def own(self) -> CaseComparison:
        """Printed in relation to the suite's lens."""
        return ratio(self.printed_s, self.lens_s)

    @property
    def other(self) -> CaseComparison:
        """Printed in relation to the control."""
        return ratio(self.printed_s, self.control_s)


def check(suite: Suite, folder: Path, installation: Installation, rounds: int) -> list[Row]:
    """A row for each operation and size, after as many rounds as make all intervals narrow; at most `rounds`."""
    rows = [Row(operation, size, [], [], []) for operation in suite.operations for size in SIZES]
    with tempfile.TemporaryDirectory(prefix="ictus-suites-") as name:
        for done in range(1, rounds + 1):
            printed = {
                operation: suite_says(suite, folder, installation, operation, Path(name))
                for operation in suite.operations
            }
            seen = lenses_say(suite, installation, Path(name) / f"lens{done}")
            for row in rows:
                row.printed_s.append(printed[row.operation][row.size])
                row.lens_s.append(seen[row.operation, row.size, suite.lens])
                row.control_s.append(seen[row.operation, row.size, CONTROL])
            if done >= FIRST and done % EVERY == 0 and all(narrow(row.own) and narrow(row.other) for row in rows):
                break
    return rows


def suite_says(
    suite: Suite, folder: Path, installation: Installation, operation: str, scratch: Path
) -> dict[int, float]:
    """The headlines of one launch of the suite by size, seconds. ValueError where it printed no such line."""
    job = Job(
        n_ranks=2,
        program=(str(folder / suite.program(operation)), *suite.words(operation)),
        folder=scratch,
        timeout_s=120,
        environment={"LD_LIBRARY_PATH": str(installation.wrapper.parent.parent / "lib")},
        n_cores=usable_cores().n,
    )
    outcome = launch(installation, job, "mpiexec")
    output = (scratch / "stdout.txt").read_text("utf-8", errors="replace")
    found = {size: headline_s for size in SIZES if (headline_s := headline(suite, size, output)) is not None}
    if outcome.exit_code != 0 or len(found) < len(SIZES):
        raise ValueError(f"exit code {outcome.exit_code}, lines of {list(found)} B in:\n{output[-2000:]}")
    return found


def lenses_say(suite: Suite, installation: Installation, folder: Path) -> dict[tuple[str, int, str], float]:
    """Headlines of one launch of `ictus lens` by operation, size and lens, with the suite's clock and datatype."""
    words = (
        "lens", "-m", f"{installation.label}={installation.wrapper}", "--op", ",".join(suite.operations),
        "--sizes", ",".join(map(str, SIZES)), "--launches", "1", "--nrep", str(CALLS), "--lens",
        f"{suite.lens},{CONTROL}", "--datatype", "float", "--clock", "wtime", "-o", str(folder), "--json",
    )  # fmt: skip
    done = subprocess.run((str(ICTUS), *words), capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        raise ValueError(done.stderr)
    rows = json.loads(done.stdout)["rows"]
    return {(row["case"]["operation"], row["case"]["size_bytes"], row["lens"]): row["headline_s"] for row in rows}


def ratio(printed_s: Sequence[float], seen_s: Sequence[float]) -> CaseComparison:
    """What the suite printed in relation to what the lens said, both of the same rounds."""
    return compare_cases([printed_s], [seen_s], CaseRules(paired=True, adjust="none"))[0]


def narrow(result: CaseComparison) -> bool:
    """Whether the interval of the ratio says something; without one nothing does."""
    low, high = result.ratio_low, result.ratio_high
    return low is not None and high is not None and high <= NARROW * low


def verdict(result: CaseComparison) -> str:
    """By the interval of the ratio alone. A wide one decides nothing, wherever it lies: a suite counts launches that
    others disturbed, `ictus lens` makes them again.
    """
    if result.ratio_low is None or result.ratio_high is None or not narrow(result):
        return UNDECIDED
    apart = result.ratio_low > 1 + TOLERANCE or result.ratio_high < 1 / (1 + TOLERANCE)
    return DISAGREES if apart else AGREES
