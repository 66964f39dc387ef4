"""Real campaigns in series: libraries of which some are made slower by libictus-delay, kept in build/calibration."""

import argparse
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tools.marked_page import Marks

from ictus.engine import event
from ictus.engine.attempt import Execute
from ictus.engine.backend import Backend, prepare_backend
from ictus.engine.event import ignore
from ictus.engine.series import Part, run_series
from ictus.model.design import Design, Slot, make_design
from ictus.model.job import Outcome
from ictus.model.library import parse_library
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.mpi.machine import read_machine

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "calibration"
LIBRARY = "mpich"
SHIM = "libictus-delay.so"
COMMON = {
    "n": 2,
    "launches": 10,
    "nrep": 50,
    "clocksync": "hca3(span=20ms,fitpoints=50,exchanges=20)",
    "contention-retries": 0,
}
"""Small launches: a third of a second each on an idle machine."""


@dataclass(frozen=True)
class Bench:
    """One library under several labels, ready to be measured."""

    backend: Backend
    machine: Mapping[str, Any]
    shim: Path
    delays: Mapping[str, str]
    """By label: what ICTUS_DELAY says in its launches; a label that is not named is the library as it is."""

    def part(self, name: str, values: Mapping[str, Any]) -> Part:
        """A campaign of a plan with these values, by TOML key."""
        libraries = [f"{one.label}={LIBRARY}" for one in self.backend.installations]
        plan = Plan.from_values({**COMMON, "mpi": libraries, **values})
        return Part(name, make_design(plan, Registries.load(), self.backend.installations, machine=self.machine))

    def execute(self, design: Design) -> Execute:
        """Launches of a label that is to be slow have the shim in front of the library."""
        plain = self.backend.execute(design)
        slow = {label: self.backend.execute(self._delayed(design, text)) for label, text in self.delays.items()}

        def run(slot: Slot, folder: Path) -> Outcome:
            return slow.get(slot.mpi, plain)(slot, folder)

        return run

    def _delayed(self, design: Design, text: str) -> Design:
        environment = {"LD_PRELOAD": str(self.shim), "ICTUS_DELAY": text, "ICTUS_DELAY_LOG": "delay.jsonl"}
        return replace(design, plan=design.plan.model_copy(update={"environment": environment}))


def bench(labels: Sequence[str], delays: Mapping[str, str] | None = None) -> Bench:
    """The library under these labels; its core and the shim are built where they are not."""
    found = prepare_backend(tuple(parse_library(f"{label}={LIBRARY}") for label in labels), "mpiexec", None, ignore)
    shim = _shim(found) if delays else Path()
    return Bench(found, read_machine().record(), shim, delays or {})


def _shim(found: Backend) -> Path:
    source, target = ROOT / "native" / "tests" / "shim" / "delay.cpp", BUILD / SHIM
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        BUILD.mkdir(parents=True, exist_ok=True)
        wrapper = str(found.installations[0].wrapper)
        subprocess.run((wrapper, "-std=c++20", "-O2", "-shared", "-fPIC", str(source), "-o", str(target)), check=True)
    return target


def measure(folder: str, parts: Sequence[Part], execute: Callable[[Design], Execute]) -> None:
    """All campaigns, or those that are missing; one line for each. Exits where the user ended it."""
    total, done = len(parts), {"n": 0}

    def show(part: Part, happened: event.Event) -> None:
        if isinstance(happened, event.CampaignFinished):
            done["n"] += 1
            print(f"{folder}/{part.name}: {done['n']} of at most {total} are there", flush=True)
        elif isinstance(happened, event.LaunchFailed):
            print(f"{folder}/{part.name}: {happened.slot.folder_name} failed: {happened.reason}", flush=True)

    if not run_series(BUILD / folder, parts, execute, show):
        sys.exit("stopped; the same command goes on with the rest")


def run_campaigns(text: str | None, marks: Marks, table: Callable[[int], Sequence[str]], *, campaigns: int) -> None:
    """The command line of a series: measures, prints its table, and writes it into statistics.md if asked to.
    `text` describes the series, `campaigns` is how many it has.
    """
    options = argparse.ArgumentParser(description=(text or "").splitlines()[0])
    options.add_argument("--campaigns", type=int, default=campaigns, help=f"of each kind; {campaigns}")
    options.add_argument("--write", action="store_true", help="put the table into statistics.md")
    words = options.parse_args()
    lines = table(words.campaigns)
    print(*lines, sep="\n")
    if words.write:
        marks.write(ROOT / "docs" / "explanation" / "statistics.md", "\n".join(lines))
