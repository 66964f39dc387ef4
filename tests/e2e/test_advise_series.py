"""How often `ictus advise` is right, in twenty tries of each program, library and planted setting, at 2 and 4 ranks:
hours in all, so that one names those that are wanted (`-k "twenty and openmpi-eager-c-n2"`). With ICTUS_TRIES=FOLDER an
interrupted series goes on where it was. Series that are complete are copied to docs/data/advise-tries, and
`python -m tests.e2e.advise_series` puts their table into its page.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from tests.command_line import succeed
from tests.e2e.advise_series import (
    PLANTED,
    TRIES,
    Planted,
    Try,
    false_claims,
    interval,
    is_proven,
    keep,
    kept_tries,
    table,
    try_of,
)
from tests.native.programs import IN_FORTRAN, beside, compiled
from tests.native.trees import installation
from tests.page_tables import campaigns

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

EXAMPLES = Path(__file__).parents[2] / "examples"
QUICK = ("--nrep", "20", "--procsync", "barrier", "--clocksync", "none", "--contention-retries", "0", "--launches", "8",
         "--limit", "4", "--time-budget", "10min")  # fmt: skip
MPI4PY = ("mpi4py==4.1.2", "numpy")
PAIRS = 5
"""Launches with and without a planted setting that say what it costs."""
LEAST_COST = 1.2


@dataclass(frozen=True)
class Series:
    """Tries of one kind."""

    label: str
    kind: str
    program: str
    n: int

    @property
    def name(self) -> str:
        """`openmpi-eager-c-n2`."""
        return f"{self.label}-{self.kind}-{self.program}-n{self.n}"

    @property
    def planted(self) -> Planted:
        """What makes the program slow."""
        return PLANTED[self.label][self.kind][self.n]


def all_series() -> Iterator[Any]:
    """Every one; those in Fortran with their engines."""
    for label, kinds in PLANTED.items():
        in_fortran = label in IN_FORTRAN
        marks = [pytest.mark.engine("fortran", "debian-mpi")] if in_fortran else []
        for kind in kinds:
            for program in ("fortran",) if in_fortran else ("c", "mpi4py"):
                for n in (2, 4):
                    one = Series(label, kind, program, n)
                    yield pytest.param(one, id=one.name, marks=marks)


SERIES = tuple(all_series())


def words_of(series: Series, folder: Path) -> tuple[tuple[str, ...], dict[str, str]]:
    """The program, made in `folder` where it is missing, with its arguments; and the variables that it needs. More
    ranks than cores take turns: there are fewer steps then.
    """
    work, less = series.planted.work, (series.n // 2) ** 2
    if series.program == "fortran":
        file = folder / f"heat-{series.label}"
        if not file.exists():
            wrapper = beside(installation(series.label).wrapper, "mpifort")
            subprocess.run((wrapper, "-O2", "-g", EXAMPLES / "heat.f90", "-o", file), check=True)
        return (str(file), str(4000 // less), "256"), {}
    if series.program == "c":
        own = folder / series.label
        own.mkdir(exist_ok=True)
        if not (own / "halo_allreduce").exists():
            compiled(series.label, "halo_allreduce", own, "-g", folder_of_source=EXAMPLES)
        return (str(own / "halo_allreduce"), *fewer_steps(work.c, less)), {}
    python = folder / "mpi4py/bin/python"
    if not python.exists():
        subprocess.run((sys.executable, "-m", "venv", folder / "mpi4py"), check=True)
        subprocess.run((python, "-m", "pip", "install", "-q", *MPI4PY), check=True)
    libraries = str(installation(series.label).wrapper.parent.parent / "lib")
    variables = {"LD_LIBRARY_PATH": libraries, "MPI4PY_MPIABI": series.label}
    script = str(EXAMPLES / "halo_allreduce.py")
    return (str(python), script, *fewer_steps(work.python, less)), variables


def fewer_steps(arguments: tuple[int, ...], less: int) -> tuple[str, ...]:
    """As words of the command line."""
    steps, *further = arguments
    return tuple(map(str, (steps // less, *further)))


def options_of(series: Series, variables: Mapping[str, str]) -> list[str]:
    """Library, processes, and all variables."""
    every = {**variables, **series.planted.environment}
    return ["-m", series.label, "-n", str(series.n), *(f"--env={name}={value}" for name, value in every.items())]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where tries are kept: ICTUS_TRIES, from which an interrupted series goes on, else for this run alone."""
    kept = os.environ.get("ICTUS_TRIES")
    found = Path(kept).resolve() if kept else tmp_path
    found.mkdir(parents=True, exist_ok=True)
    return found


@pytest.mark.long
@pytest.mark.parametrize("series", [one for one in SERIES if one.values[0].kind != "healthy"])
def test_what_is_planted_costs_the_program_a_fifth(series: Series, folder: Path) -> None:
    """Else there is little to find: run times of launches in turns, of which the median of the ratios counts."""
    words, variables = words_of(series, folder)
    healthy = ["-m", series.label, "-n", str(series.n), *(f"--env={name}={value}" for name, value in variables.items())]
    ratios = []
    for number in range(PAIRS):
        times = []
        for side, options in (("planted", options_of(series, variables)), ("healthy", healthy)):
            out = folder / f"cost-{series.name}-{side}-{number}"
            shutil.rmtree(out, ignore_errors=True)
            succeed("profile", "run", *options, "-o", out, "--", *words)
            times.append(json.loads(succeed("profile", "show", out, "--json").out)["elapsed_s"])
            shutil.rmtree(out)
        ratios.append(times[0] / times[1])
    print(f"{series.name}: {median(ratios):.2f} times as long, {min(ratios):.2f} … {max(ratios):.2f}")
    assert median(ratios) >= LEAST_COST


@pytest.mark.long
@pytest.mark.parametrize("series", SERIES)
def test_of_twenty_tries_how_many_are_right(series: Series, folder: Path) -> None:
    """Of planted settings nearly all are proven gains, of a healthy library about as few claims are false as the level
    allows: an interval that excludes 9 in 10, or 1 in 20, is a fault. `make test-long` takes two tries.
    """
    file = folder / f"{series.name}.jsonl"
    words, variables = words_of(series, folder)
    began = time.monotonic()
    wanted = campaigns(TRIES)
    for seed in range(len(kept_tries(file)), wanted):
        keep(file, tried(series, seed, folder / f"try-{series.name}", (words, variables)))
        print(f"{series.name}, try {seed + 1} of {wanted}: {time.monotonic() - began:.0f} s so far")
    print("\n".join(table(folder)))
    tries = kept_tries(file)
    if series.kind == "healthy":
        assert interval(false_claims(tries))[0] <= 0.05
    else:
        assert interval([one.proven for one in tries])[1] >= 0.9


def tried(series: Series, seed: int, out: Path, program: tuple[tuple[str, ...], Mapping[str, str]]) -> Try:
    """The circle once. A claim is put to the test again: its pairs of launches are made anew."""
    shutil.rmtree(out, ignore_errors=True)  # of a try that was interrupted, perhaps with other programs
    words, variables = program
    command = ("advise", *options_of(series, variables), *QUICK, "--seed", seed, "--json", "-o", out, "--", *words)
    found = json.loads(succeed(*command).out)
    repeated = False
    if is_proven(found):
        shutil.rmtree(out / "confirm")
        repeated = is_proven(json.loads(succeed(*command).out))
    shutil.rmtree(out)
    return try_of(seed, found, repeated=repeated)
