"""Worlds of the claims about our own synchronisation in simulated worlds: what these would have been, drawn."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from tests.calibration.claims.row import Kind, rows_of
from tests.studies.claims.known import find

from ictus.stats.claim_rules import Ruling
from ictus.studies.clock_accuracy.contenders import is_ours
from ictus.studies.sync_worlds.claims import AUTO, BROKEN_AT_MOST, KEPT, NEAR, SWEEPS
from ictus.studies.sync_worlds.frontier import FRONTIER_BUDGETS_S
from ictus.studies.sync_worlds.material import WorldRun, Worlds, WorldsDocument, WorldWait

WAITS_S = (0.0, 1.0, 5.0, 20.0)
Runs = Callable[[int, str], Sequence[WorldRun]]
"""Of a number of hosts, and an algorithm: a run each world."""


def _judged(claim: str, runs: Runs) -> Ruling:
    """Of the claim's own plan, whose runs are drawn."""
    plan = find(claim).plan(True)
    algorithms = {n: tuple(plan["algorithms"](plan, n)) for n in map(int, plan["n"].split(","))}
    document = WorldsDocument(
        created="2026-01-01T00:00:00+00:00",
        host="drawn",
        library="drawn",
        sources="drawn",
        seed=1001,
        seeds=plan["seeds"],
        networks=plan["networks"],
        algorithms=algorithms,
    )
    drawn = {place: {name: tuple(runs(place.n, name)) for name in algorithms[place.n]} for place in document.places}
    return find(claim).judge(Worlds(document, drawn)).ruling


def _run(name: str, elapsed_s: float, error_s: float, bound_s: float, **more: Any) -> WorldRun:
    violated = more.pop("violated", 0)
    waits = tuple(
        WorldWait(wait_s=wait, max_s=error_s, p95_s=error_s, bound_s=bound_s, violated=violated) for wait in WAITS_S
    )
    given = {"world": "drawn", "algorithm": name, "elapsed_s": elapsed_s, "messages": 100, "arity": 2, **more}
    return WorldRun(waits=waits, **given)


def frontier(random: np.random.Generator, times: float) -> Ruling:
    """Every setting takes the shorter time; those of others err so many times as much, each scattered by a half."""

    def runs(_: int, name: str) -> list[WorldRun]:
        errors = 1e-7 * np.exp(random.normal(0, 0.4, 20)) * (1.0 if is_ours(name) else times)
        return [_run(name, min(FRONTIER_BUDGETS_S), float(error), 1e-6) for error in errors]

    return _judged("sync-frontier", runs)


def bounds(random: np.random.Generator, share: float) -> Ruling:
    """Each synchronisation breaks a bound with that chance."""

    def runs(_: int, name: str) -> list[WorldRun]:
        return [_run(name, 0.1, 1e-9, 1e-6, violated=int(random.random() < share)) for _ in range(100)]

    return _judged("sync-bounds", runs)


def arities(random: np.random.Generator, times: float) -> Ruling:
    """The default's product of bound and time is `times` that of the best arity, 4; the others' are larger. Each
    scatters by 1 %; those of simulated worlds do by 0.6.
    """

    def runs(n: int, name: str) -> list[WorldRun]:
        asked = name.partition("arity=")[2].rstrip(")") or AUTO
        own = {AUTO: times, "4": 1.0, "8": 1.3}.get(asked, 2.0)
        messages = round(2 * (n - 1) * SWEEPS * KEPT) + 1
        return [
            _run(name, 0.1, 1e-9, 1e-6 * float(bound), messages=messages)
            for bound in own * np.exp(random.normal(0, 0.01, 12))
        ]

    return _judged("sync-arity", runs)


ROWS = (
    *rows_of(
        "sync-frontier",
        frontier,
        "times",
        ("all settings err alike", Kind.FALSE, 1.0),
        ("others err three times as much", Kind.TRUE, 3.0),
    ),
    *rows_of(
        "sync-bounds",
        bounds,
        "share",
        ("one synchronisation of a hundred breaks a bound", Kind.LIMIT, BROKEN_AT_MOST),
        ("one of 5,000 does", Kind.TRUE, 2e-4),
    ),
    *rows_of(
        "sync-arity",
        arities,
        "times",
        ("the default's product is a tenth larger", Kind.LIMIT, NEAR),
        ("it is a twentieth larger", Kind.TRUE, 1.05),
    ),
)
