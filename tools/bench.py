"""`make bench`: what Ictus itself costs, and how well it does its work, each line with its goal.

Speeds are ratios or costs within this one run; nothing here is a test, because machines are noisy. Exit code 0 always.
"""

import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.table import Table

import ictus
from ictus.engine.runner import run_campaign
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.design import make_design
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.model.sample import SAMPLE
from ictus.mpi.discover import find

LAUNCHES = 5
ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class MeasuredVolume:
    """A synthetic campaign of two libraries, and what its analysis may take."""

    samples: int
    launches: int
    """Of both libraries together."""
    goal_s: float


SMALL = MeasuredVolume(10_000_000, 20, 1.0)
LARGE = MeasuredVolume(100_000_000, 60, 10.0)
"""The papers' 30 launches of each library."""
MEMORY_GIB = 1.0
FREE_BYTES = 3e9
"""Left on the disk, at least."""
WINDOW, BARRIER = "window", "barrier(algorithm=library)"


@dataclass(frozen=True)
class Line:
    """One line of the table; `met` is None where there is only a value."""

    what: str
    value: str
    goal: str = ""
    met: bool | None = None


def main() -> None:
    """Measure, then print."""
    with tempfile.TemporaryDirectory(prefix="ictus-bench-") as name:
        folder = Path(name)
        lines = [*measuring(folder / "measured"), *starting(folder), *harness(folder / "empty")]
        lines += [*redirecting(folder), *profiling(folder)]
        for volume in (SMALL, LARGE):
            lines += analysing(folder / "synthetic", volume)
            shutil.rmtree(folder / "synthetic", ignore_errors=True)
    table = Table("what", "value", "goal", "", title="ictus bench")
    for line in lines:
        table.add_row(line.what, line.value, line.goal, {None: "", True: "met", False: "missed"}[line.met])
    Console(width=max(100, Console().width)).print(table)


def ictus_command(*words: str) -> str:
    """Standard output of a command that finds this checkout's tools; its messages are passed on, a failure is ours."""
    environment = {**os.environ, "PATH": f"{ROOT / '.venv/bin'}:{os.environ.get('PATH', '')}"}
    line = (sys.executable, "-m", "ictus", *words)
    return subprocess.run(line, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout


def measuring(folder: Path) -> Iterator[Line]:
    """The core on this machine's two embedded libraries: windows and MPI_Barrier in the same launches."""
    words = ["run", "-m", "mpich", "-m", "openmpi", "--op", "barrier,bcast,allreduce", "--sizes", "8", "-n", "2"]
    words += ["--launches", str(LAUNCHES), "--procsync", f"{WINDOW},{BARRIER}", "--seed", "1", "-o", str(folder)]
    ictus_command(*words)
    campaign = ictus.load(folder, contended=False)
    contended = sum(1 for launch in campaign.launches if launch.contended)
    yield Line(
        "launches of this run that others disturbed", f"{contended} of {len(campaign.launches)}", "0", contended == 0
    )
    samples = campaign.samples.with_columns(pl.col("procsync").str.split("(").list.first().alias("start")).collect()
    valid = samples.filter(pl.col("flags") == 0)
    for label in campaign.labels:
        yield from core_lines(label, samples.filter(pl.col("mpi") == label), valid.filter(pl.col("mpi") == label))


def core_lines(label: str, samples: pl.DataFrame, valid: pl.DataFrame) -> Iterator[Line]:
    """Start and validity on one library."""
    by_window, by_barrier = (
        float(valid.filter(pl.col("start") == how)["start_skew"].median()) for how in ("window", "barrier")
    )
    yield Line(
        f"{label}: start skew, window(hca3) : MPI_Barrier",
        f"{by_window * 1e9:.0f} ns : {by_barrier * 1e9:.0f} ns = {by_window / by_barrier:.2f}",
        "below 1",
        by_window < by_barrier,
    )
    windows = samples.filter(pl.col("start") == "window")
    share = windows.filter(pl.col("flags") == 0).height / windows.height
    yield Line(f"{label}: valid share of window(auto)", f"{share:.1%}", "at least 95 % (idle machine)", share >= 0.95)


STARTS = 7
MOST_OF_HELP, MOST_OF_SHOW = 0.5, 1.7
"""What `ictus --help`, and `ictus show` of few launches, may take of a Python that imports what shows them: numpy and
polars.
"""


def starting(folder: Path) -> Iterator[Line]:
    """Processor time of commands that wait for no measurement, beside that of importing numpy and polars."""
    words = ("run", "--launcher", "simulated", "-m", "a=x", "-m", "b=y", "--op", "bcast", "--sizes", "8..1Ki")
    ictus_command(*words, "--launches", "2", "--seed", "1", "-o", str(folder / "shown"))
    python = (sys.executable, "-c")
    least = processor_s(*python, "import numpy, polars")
    for text, most, command in (
        ("ictus --help", MOST_OF_HELP, ("--help",)),
        ("ictus show FOLDER, two launches", MOST_OF_SHOW, ("show", str(folder / "shown"))),
    ):
        taken = processor_s(sys.executable, "-m", "ictus", *command)
        yield Line(
            f"{text} : importing numpy and polars, processor time",
            f"{taken:.2f} s : {least:.2f} s = {taken / least:.2f}",
            f"under {most:g}",
            taken < most * least,
        )


def processor_s(*command: str) -> float:
    """The least of several runs, in seconds."""
    taken = []
    for _ in range(STARTS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken)


MOST_BEYOND_NS = {"warm": 1, "cold-memset": 5}
"""What a call of nothing may take beyond a reading of the clock, by cache mode."""


def harness(folder: Path) -> Iterator[Line]:
    """A reading of the clock, and what a timed window that holds a call of nothing takes beyond it."""
    words = ["run", "-m", "mpich", "-m", "openmpi", "--op", "empty", "--cache", ",".join(MOST_BEYOND_NS), "-n", "2"]
    words += ["--launches", str(LAUNCHES), "--procsync", BARRIER, "--seed", "1", "-o", str(folder)]
    ictus_command(*words)
    campaign = ictus.load(folder, contended=False)
    samples = campaign.samples.filter(pl.col("flags") == 0).collect()
    for label in campaign.labels:
        readings = [launch.record.head.clock.reading_s or 0.0 for launch in campaign.launches if launch.mpi == label]
        reading = sorted(readings)[len(readings) // 2] * 1e9
        yield Line(f"{label}: one reading of the clock", f"{reading:.1f} ns")
        for mode, most in MOST_BEYOND_NS.items():
            ids = [case["case_id"] for case in campaign.cases.to_dicts() if str(case["cache"]).startswith(mode)]
            cases = samples.filter((pl.col("mpi") == label) & pl.col("case_id").is_in(ids))
            taken = undisturbed_mean(cases["local_mean"]) * 1e9
            yield Line(
                f"{label}: `empty`, {mode.split('-')[0]}, beyond its reading",
                f"{taken - reading:.1f} ns ({taken:.1f} - {reading:.1f}; {taken / reading:.2f} of it)",
                f"at most {most} ns",
                taken - reading <= most,
            )


def undisturbed_mean(values: pl.Series) -> float:
    """Of the lower 90 %: some counters step by 10 ns, so that a median cannot tell 1 ns."""
    return float(values.sort().head(int(0.9 * values.len())).mean())


PROFILE = "ictus-redirect 1\nscan 1 1 1024 scan_as_exscan_and_reduce_local\n"
MOST_NS = 100
"""What a decision may cost: a small part of the fastest message between two processes."""


def redirecting(folder: Path) -> Iterator[Line]:
    """What libictus-redirect costs a call of one process, beside the same without it (native/examples)."""
    profile, program = folder / "faster.txt", folder / "redirect_cost"
    profile.write_text(PROFILE, "utf-8")
    for label in ("mpich", "openmpi"):
        wrapper, source = find(label).wrapper.with_name("mpicc"), ROOT / "native/examples/redirect_cost.c"
        subprocess.run((wrapper, "-std=c99", "-O2", source, "-o", program), check=True)
        output = ictus_command("exec", "--redirect", str(profile), "-m", label, "-n", "1", "--", str(program))
        for name, value in (line.split(" = ") for line in output.splitlines()):
            what = {"passed_ns": "left to the library", "rerouted_ns": "rerouted, beside the mock-up by hand"}[name]
            goal = f"at most {MOST_NS} ns"
            yield Line(f"{label}: a call that is {what}", f"{value} ns", goal, float(value) <= MOST_NS)


MOST_COUNTING_NS, MOST_COUNTING_SHARE = 100, 0.02
"""What counting may cost a call, and a program that makes 100,000 collective calls a second and rank."""


def profiling(folder: Path) -> Iterator[Line]:
    """What libictus-profile costs a call, beside the same call without it in the same run (native/examples)."""
    program = folder / "profile_cost"
    for label in ("mpich", "openmpi"):
        wrapper, source = find(label).wrapper.with_name("mpicc"), ROOT / "native/examples/profile_cost.c"
        subprocess.run((wrapper, "-std=c99", "-O2", source, "-o", program), check=True)
        costs = {n: counted_cost(folder / f"{label}-{n}", label, n, program) for n in (1, 2)}
        share = costs[2]["share"]
        for name, what in (("call", "a call of known handles"), ("test", "MPI_Testany of eight requests")):
            cost_ns, readings = costs[1][f"{name}_ns"], costs[1][f"{name}_readings"]
            yield Line(
                f"{label}: counting {what}, median",
                f"{cost_ns:.1f} ns, {readings:.2f} pairs of readings of MPI_Wtime",
                f"under {MOST_COUNTING_NS} ns",
                cost_ns < MOST_COUNTING_NS,
            )
        yield Line(
            f"{label}: counting {costs[2]['calls_per_s']:,.0f} collectives a second and rank, of the run time",
            f"{share:.2%}",
            f"under {MOST_COUNTING_SHARE:.0%}",
            share < MOST_COUNTING_SHARE,
        )


def counted_cost(folder: Path, label: str, n: int, program: Path) -> dict[str, float]:
    """What the program says under `ictus profile` with `n` processes."""
    output = ictus_command("profile", "run", "-m", label, "-n", str(n), "-o", str(folder), "--", str(program))
    return {name: float(value) for name, value in (line.split(" = ") for line in output.splitlines())}


ANALYSE = """\
import resource, sys, time
import ictus.api, scipy.stats  # loading libraries is not analysis
begun = time.perf_counter()
campaign = ictus.load(sys.argv[1])
rows = ictus.compare(campaign, "a", "b").rows
print(time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1048576, len(rows))
"""


def analysing(folder: Path, volume: MeasuredVolume) -> Iterator[Line]:
    """From launches as the core leaves them to the comparison table, in a process of its own."""
    what = f"{volume.samples / 1e6:.0f} million samples"
    needed, free = 1.05 * volume.samples * SAMPLE.itemsize + FREE_BYTES, shutil.disk_usage(folder.parent).free
    if free < needed:
        yield Line(f"{what}: needs {needed / 1e9:.0f} GB in {folder.parent.parent}", f"{free / 1e9:.0f} GB are free")
        return
    begun = time.perf_counter()
    n_samples = synthesise(folder, volume)
    yield Line(f"{what}: writing them, which nobody judges", f"{time.perf_counter() - begun:.0f} s")
    seconds, gibibytes, n_rows = analysed(folder)
    yield Line(
        f"{n_samples / 1e6:.1f} million samples of {volume.launches} launches to {n_rows:.0f} verdicts",
        f"{seconds:.2f} s, {n_samples / seconds / 1e6:.0f} million/s, {seconds / volume.goal_s:.2f} of the goal",
        f"under {volume.goal_s:g} s",
        seconds < volume.goal_s,
    )
    yield Line(
        "memory of that, at its peak", f"{gibibytes:.2f} GiB", f"under {MEMORY_GIB:g} GiB", gibibytes < MEMORY_GIB
    )
    yield Line("the same once it has arrived", f"{analysed(folder)[0]:.2f} s")


def analysed(folder: Path) -> tuple[float, float, float]:
    """Seconds, peak memory in GiB and rows of a comparison."""
    done = subprocess.run((sys.executable, "-c", ANALYSE, str(folder)), check=True, capture_output=True, text=True)
    seconds, gibibytes, n_rows = map(float, done.stdout.split())
    return seconds, gibibytes, n_rows


def synthesise(folder: Path, volume: MeasuredVolume) -> int:
    """A campaign of simulated launches as the core would have left it: without the Parquet files made on arrival.
    Returns the number of samples.
    """
    cases = 28
    values = {
        "op": "bcast,allreduce",
        "sizes": "8..64Ki",
        "launches": volume.launches // 2,
        "nrep": math.ceil(volume.samples / (cases * volume.launches)),
        "seed": 1,
        "mpi": "a=x,b=y",
    }
    design = make_design(Plan.from_values(values), Registries.load(), [Simulated.installation(label) for label in "ab"])
    assert len(design.cases) == cases

    def remove_arrived(_: object) -> None:
        for made in folder.glob("launches/*/*.parquet"):
            made.unlink()

    scenario = Scenario(launch_spread=0.1, noise=0.1, late_share=0.01, factors={"b": 1.1})
    run_campaign(folder, design, Simulated(scenario), remove_arrived)
    remove_arrived(None)
    return sum(path.stat().st_size // SAMPLE.itemsize for path in folder.glob("launches/*/samples.npy"))


if __name__ == "__main__":
    sys.exit(main())
