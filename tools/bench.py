"""`make bench`: what Ictus itself costs, and how well it does its work, each line with its goal.

Speeds are ratios or costs within this one run; nothing here is a test, because machines are noisy. Exit code 0 always.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.table import Table

import ictus
from ictus.campaign.runner import run_campaign
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.design import make_design
from ictus.model.plan import Plan
from ictus.model.registries import Registries

LAUNCHES = 5
ANALYSIS_SAMPLES = 10_000_000
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
        lines = [*measuring(folder / "measured"), *analysing(folder / "synthetic")]
    table = Table("what", "value", "goal", "", title="ictus bench")
    for line in lines:
        table.add_row(line.what, line.value, line.goal, {None: "", True: "met", False: "missed"}[line.met])
    Console(width=max(100, Console().width)).print(table)


def measuring(folder: Path) -> Iterator[Line]:
    """The core on this machine's two embedded libraries: windows and MPI_Barrier in the same launches."""
    words = ["run", "-m", "mpich", "-m", "openmpi", "--op", "empty,barrier,bcast,allreduce", "--sizes", "8", "-n", "2"]
    words += ["--launches", str(LAUNCHES), "--procsync", f"{WINDOW},{BARRIER}", "--seed", "1", "-o", str(folder)]
    subprocess.run((str(Path(sys.executable).with_name("ictus")), *words), check=True, stdout=subprocess.DEVNULL)
    campaign = ictus.load(folder, contended=False)
    contended = sum(1 for launch in campaign.launches if launch.contended)
    yield Line(
        "launches of this run that others disturbed", f"{contended} of {len(campaign.launches)}", "0", contended == 0
    )
    samples = campaign.samples.with_columns(pl.col("procsync").str.split("(").list.first().alias("start")).collect()
    valid = samples.filter(pl.col("flags") == 0)
    for label in campaign.labels:
        yield from core_lines(
            label, campaign, samples.filter(pl.col("mpi") == label), valid.filter(pl.col("mpi") == label)
        )


def core_lines(label: str, campaign: ictus.Campaign, samples: pl.DataFrame, valid: pl.DataFrame) -> Iterator[Line]:
    """Clock, harness, start and validity on one library."""
    readings = [launch.record["clock"]["reading_s"] for launch in campaign.launches if launch.mpi == label]
    reading = sorted(readings)[len(readings) // 2]
    yield Line(f"{label}: one reading of the clock", f"{reading * 1e9:.1f} ns")
    empty = float(valid.filter((pl.col("operation") == "empty") & (pl.col("start") == "barrier"))["local_min"].median())
    yield Line(
        f"{label}: `empty` beyond its clock readings",
        f"{(empty - reading) * 1e9:.1f} ns ({empty * 1e9:.1f} - {reading * 1e9:.1f})",
        "at most 10 ns",
        empty - reading <= 10e-9,
    )
    real = valid.filter(pl.col("operation").is_in(["bcast", "allreduce", "barrier"]))
    by_window, by_barrier = (
        float(real.filter(pl.col("start") == how)["start_skew"].median()) for how in ("window", "barrier")
    )
    yield Line(
        f"{label}: start skew, window(hca3) : MPI_Barrier",
        f"{by_window * 1e9:.0f} ns : {by_barrier * 1e9:.0f} ns = {by_window / by_barrier:.2f}",
        "below 1",
        by_window < by_barrier,
    )
    windows = samples.filter(
        (pl.col("start") == "window") & pl.col("operation").is_in(["bcast", "allreduce", "barrier"])
    )
    share = windows.filter(pl.col("flags") == 0).height / windows.height
    yield Line(f"{label}: valid share of window(auto)", f"{share:.1%}", "at least 95 % (idle machine)", share >= 0.95)


ANALYSE = """\
import resource, sys, time
import ictus.api, scipy.stats  # loading libraries is not analysis
begun = time.perf_counter()
campaign = ictus.load(sys.argv[1])
rows = ictus.compare(campaign, "a", "b").rows
print(time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1048576, len(rows))
"""


def analysing(folder: Path) -> Iterator[Line]:
    """From launches as the core leaves them to the comparison table, in a process of its own."""
    n_samples, n_launches = synthesise(folder)
    done = subprocess.run((sys.executable, "-c", ANALYSE, str(folder)), check=True, capture_output=True, text=True)
    seconds, gibibytes, n_rows = (float(word) for word in done.stdout.split())
    what = f"{n_samples / 1e6:.1f} million samples of {n_launches} launches to {n_rows:.0f} verdicts"
    yield Line(what, f"{seconds:.2f} s, {n_samples / seconds / 1e6:.0f} million/s", "under 1 s", seconds < 1.0)
    yield Line("memory of that", f"{gibibytes:.2f} GiB", "under 1 GiB", gibibytes < 1.0)
    again = subprocess.run((sys.executable, "-c", ANALYSE, str(folder)), check=True, capture_output=True, text=True)
    yield Line("the same once it has arrived", f"{float(again.stdout.split()[0]):.2f} s")


def synthesise(folder: Path) -> tuple[int, int]:
    """A campaign of simulated launches as the core would have left it: without the Parquet files made on arrival."""
    cases, launches = 28, 20
    nrep = ANALYSIS_SAMPLES // (cases * launches)
    values = {
        "op": "bcast,allreduce",
        "sizes": "8..64Ki",
        "launches": launches // 2,
        "nrep": nrep,
        "seed": 1,
        "mpi": "a=x,b=y",
    }
    design = make_design(Plan.from_values(values), Registries.load(), [Simulated.installation(label) for label in "ab"])
    assert len(design.cases) == cases
    scenario = Scenario(launch_spread=0.1, noise=0.1, late_share=0.01, factors={"b": 1.1})
    run_campaign(folder, design, Simulated(scenario))
    for made in folder.glob("launches/*/*.parquet"):
        made.unlink()
    return sum(path.stat().st_size // 74 for path in folder.glob("launches/*/samples.npy")), launches


if __name__ == "__main__":
    sys.exit(main())
