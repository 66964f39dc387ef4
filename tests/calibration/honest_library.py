"""`ictus check` on an honest library: every mock-up is the call itself, so that whatever is violated is a false alarm.

    python -m tests.calibration.honest_library [--campaigns 60] [--simulated 200] [--simgrid 40] [--write]

What is A against A:

- patterns: every mock-up of the paper (GL3 to GL17) of seven calls is replaced by its call under another name,
  `sequence(CALL)`, `sequence(sequence(CALL))`, ..., each a case of its own; every second one the other way round, so
  that what another name costs cannot help;
- confirmed split-robustness: k calls in a row, `repeated(CALL,k)`, against as many by `sequence(CALL,...)`: what
  confirms a prediction, where both sides take the same.

Monotony and predictions of split-robustness of the same seven calls are judged too, in the same family, but not A
against A: there is no second size that takes the same. Sizes lie so far apart (a factor of 512) that a library which
takes one algorithm for both keeps them; what fails there is blamed. Where honesty is just kept is simulated by the
thousand (tests/calibration/test_simulated_guidelines.py).

Real launches of MPICH; simulated launches, whose samples are drawn and go all the way through files; and SimGrid, where
every launch of every campaign draws its latencies with a seed of its own: launches that are alike to the last bit would
be no replication. What was measured is kept in build/calibration and gone on with. `--write` puts the figures into
guidelines.md; the exit code is 1 where the promise is broken.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tests.calibration.series import BUILD, COMMON, LIBRARY, measure
from tests.calibration.tables import judged_text, rate_text

import ictus
from ictus.engine.backend import Backend, prepare_backend
from ictus.engine.event import ignore
from ictus.engine.series import Part
from ictus.guidelines.catalogue import catalogue
from ictus.guidelines.check.analysis import measured_of
from ictus.guidelines.judgement import Options
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.verdict import State
from ictus.guidelines.verify import verify
from ictus.model.design import make_design
from ictus.model.library import parse_library
from ictus.model.plan import Plan
from ictus.model.platform import reseeded
from ictus.model.registries import Registries
from ictus.mpi.machine import read_machine
from ictus.stats.binomial_rate import Rate, rate

CALLS = ("gather", "allgather", "allreduce", "bcast", "reduce", "scatter", "scan")
REPEATED = ("bcast", "allreduce")
"""Calls whose repetition, which confirms a split, is held against itself."""
TIMES = 2
PLAN = {"sizes": "8,4Ki", "datatype": "byte", "launches": 12}
REAL, SIMULATED, SIMGRID = "honest", "honest-simulated", "honest-simgrid"
FAST = {"clocksync": "none", "procsync": "barrier(dissemination)", "nrep": 20}
MONOTONE = ("allreduce=rdb", "gather=ompi_binomial")
"""Of SimGrid, one algorithm for both sizes: by the rules that it follows otherwise, Open MPI's, allreduce of 8 B among
four ranks takes twice as long as of 4 KiB, and gather 1.3 times. These are violations, and no false alarms.
"""
WORLD = {"startup_s": 1e-6, "bandwidth": 4e9, "launch_spread": 0.15, "noise": 0.1}
"""Launches fast or slow as a whole, and each case scattering besides, by 3 % of its median of twenty."""
LEVEL = 0.05
_SEEDS = 1000
"""Platform seeds of one campaign: more than it has launches."""


@dataclass(frozen=True)
class Honest:
    """What came of campaigns whose both sides are the same call."""

    where: str
    tests: int
    """In a campaign."""
    launches: int
    alarms: Rate
    """Campaigns with any violation."""
    unadjusted: Rate
    """The same where every test is judged for itself: what the adjustment is for."""

    @property
    def line(self) -> str:
        """The row of a table."""
        return (
            f"| {self.where}, {self.launches} launches, {self.tests} tests | {rate_text(self.alarms)} | "
            f"{judged_text(self.alarms)} | {rate_text(self.unadjusted)} |"
        )


def rules(registries: Registries) -> tuple[Rule, ...]:
    """The paper's guidelines of the calls, with the call in the place of every mock-up."""
    paper = catalogue(registries, CALLS)
    found = [rule for rule in paper if rule.source is Source.PAPER and rule.kind is not Kind.PATTERN]
    for call in (registries.check("operation", text) for text in CALLS):
        own = [
            rule for rule in paper if rule.source is Source.PAPER and rule.kind is Kind.PATTERN and rule.left == call
        ]
        for number, rule in enumerate(own):
            left, right = call, registries.check("operation", named_otherwise(str(call), number + 1))
            left, right = (right, left) if number % 2 else (left, right)
            found.append(replace(rule, left=left, right=right))
    for text in REPEATED:
        sides = (f"sequence({','.join([text] * TIMES)})", f"repeated({text},{TIMES})")
        left, right = (registries.check("operation", side) for side in sides)
        found.append(Rule(f"{text}-in-a-row", Kind.PATTERN, Source.USER, left, right))
    return tuple(found)


def named_otherwise(call: str, depth: int) -> str:
    """`sequence(sequence(gather))`: the same call, by another name."""
    return call if depth == 0 else f"sequence({named_otherwise(call, depth - 1)})"


def real(campaigns: int) -> Honest:
    """Two ranks of a real library."""
    found = _ready(LIBRARY)
    parts = [_part(found, number, LIBRARY, {}) for number in range(campaigns)]
    measure(REAL, parts, found.execute)
    return _judged("real, 2 ranks", REAL, parts)


def simulated(campaigns: int) -> Honest:
    """Launches whose samples are drawn, each from the seed of its slot."""
    BUILD.mkdir(parents=True, exist_ok=True)
    scenario = BUILD / "honest.json"
    scenario.write_text(json.dumps(WORLD), "utf-8")
    found = prepare_backend((parse_library("mpich"),), "simulated", scenario, ignore)
    parts = [_part(found, number, "mpich", {**FAST, "clock": "wtime"}) for number in range(campaigns)]
    measure(SIMULATED, parts, found.execute)
    return _judged("simulated launches", SIMULATED, parts)


def simgrid(campaigns: int) -> Honest:
    """Four ranks on a platform of SimGrid, another seed for every launch."""
    found = _ready("simgrid")
    parts = []
    for number in range(campaigns):
        platform = reseeded("flat", _SEEDS * (number + 1))
        own = {"n": 4, "platform": platform, "clock": "wtime", "algorithm": list(MONOTONE)}
        parts.append(_part(found, number, "simgrid", {**FAST, **own}))
    measure(SIMGRID, parts, found.execute)
    for part in parts:
        check_different(BUILD / SIMGRID / part.name)
    return _judged("simulated ranks of SimGrid", SIMGRID, parts)


def check_different(folder: Path) -> None:
    """Launches that measured the same to the last bit are not independent."""
    known: dict[bytes, str] = {}
    for path in sorted((folder / "launches").glob("*/samples.npy")):
        samples = np.load(path)
        content = np.sort(samples["local_max"]).tobytes()
        assert content not in known, f"{path.parent}: the same latencies as {known[content]}: no replication"
        known[content] = path.parent.name


def _ready(library: str) -> Backend:
    return prepare_backend((parse_library(library),), "mpiexec", None, ignore)


def _part(found: Backend, number: int, library: str, values: dict[str, object]) -> Part:
    operations = dict.fromkeys(side for rule in rules(Registries.load()) for side in (rule.left, rule.right))
    plan = Plan.from_values({**COMMON, **PLAN, "mpi": library, "op": list(operations), "seed": number, **values})
    machine = read_machine().record()
    design = make_design(plan, Registries.load(), found.installations, machine=machine, variants=found.variants(plan))
    return Part(f"{number:03}", design)


def _judged(where: str, folder: str, parts: Sequence[Part]) -> Honest:
    """All campaigns, each a family of its own."""
    alarms = unadjusted = tests = 0
    asked = rules(Registries.load())
    for part in parts:
        measured = measured_of(ictus.load(BUILD / folder / part.name))
        found = verify(asked, measured, Options(level=LEVEL))
        alarms += any(one.state is State.VIOLATED for one in found)
        each = verify(asked, measured, Options(level=LEVEL, adjust="none"))
        unadjusted += any(one.state is State.VIOLATED for one in each)
        tests = sum(one.p_value is not None for one in found)
    n = len(parts)
    return Honest(
        where=where,
        tests=tests,
        launches=parts[0].design.plan.launches,
        alarms=rate(alarms, n, "at most", LEVEL),
        unadjusted=rate(unadjusted, n, "at most", LEVEL),
    )
