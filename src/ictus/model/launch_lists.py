"""Splits a launch that is one object with lists, as launch.json was in format 1, into the parts of format 2.

The reader of format 1 and the simulated launcher use it, so that all other code knows one form.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ictus.model.launch_arrays import (
    ARRAYS,
    BLOCKS,
    CASE_RANKS,
    CASES,
    CLOCKS,
    HOSTS,
    NO_ROOT,
    RANKS,
    ROTATING,
    ROTATING_ROOT,
    Array,
    array_of,
    grid_of,
    within,
)

_OF_HOST = ("host", "n_ranks", "load_average", "steal_s", "busy_s")
"""The fields that differ between hosts; the others form a host's kind."""
_LOADS = ("load_average_1", "load_average_5", "load_average_15")

_CLOCK_LISTS = {
    **{key: f"opening.{key}" for key in ("slope", "intercept_s", "slope_error", "bound_s")},
    **{key: f"closing.{key}" for key in ("residual_s", "interpolated_residual_s")},
    "closing_bound_s": "closing.bound_s",
}


@dataclass(frozen=True)
class SplitLaunch:
    """The content of launch.json of format 2 without `arrays`, and the arrays by their names."""

    head: Mapping[str, Any]
    arrays: Mapping[str, Array]


def split_launch(document: Mapping[str, Any]) -> SplitLaunch:
    """Take a launch with lists apart. ValueError and TypeError name the field that is not as documented."""
    n_ranks = document.get("n_ranks")
    if not isinstance(n_ranks, int):
        raise TypeError(f"n_ranks: expected a whole number, found {n_ranks!r}")
    cases, blocks, ranks, hosts = (_objects(document, name) for name in ("cases", "blocks", "ranks", "hosts"))
    kinds = _kinds(hosts)
    clocks = grid_of(blocks, _CLOCK_LISTS, CLOCKS, n_ranks, "blocks")
    for bound in ("bound_s", "closing_bound_s"):  # below 0: launches before 2026-11-23 contradicted their own proof
        clocks[bound][clocks[bound] < 0] = np.nan
    arrays = {
        "cases": array_of([_case(case) for case in cases], CASES, "cases"),
        "case_ranks": grid_of(cases, {key: f"per_rank.{key}" for key in CASE_RANKS}, CASE_RANKS, n_ranks, "cases"),
        "blocks": array_of([_block(block, row) for block, row in zip(blocks, clocks, strict=True)], BLOCKS, "blocks"),
        "clocks": clocks,
        "ranks": array_of(_ranks(document, ranks, hosts), RANKS, "ranks"),
        "hosts": array_of([_host(host, kinds) for host in hosts], HOSTS, "hosts"),
    }
    named = Counter(zip(arrays["ranks"]["host"].tolist(), arrays["ranks"]["node"].tolist(), strict=True))
    counts = list(named.values()) if len(named) >= len(hosts) else [int(n) for n in arrays["hosts"]["n_ranks"]]
    head = {
        **{key: value for key, value in document.items() if key not in ARRAYS},
        "nodes": len(counts),
        "ranks_per_node": {"min": min(counts, default=0), "max": max(counts, default=0)},
        "kinds": kinds,
        "heap": _heap(arrays["ranks"]),
        "machine": document.get("machine"),
    }
    return SplitLaunch(head, arrays)


def _objects(document: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    rows = document.get(name, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError(f"{name}: expected a list of objects")
    return rows


def _case(case: Mapping[str, Any]) -> Mapping[str, Any]:
    root, set_up = case.get("root"), case.get("set_up_s")
    made = {"set_up_s": set_up_text(set_up)} if isinstance(set_up, Mapping) else {}
    return {**case, **made, "root": {None: NO_ROOT, ROTATING: ROTATING_ROOT}.get(root, root)}


def set_up_text(times_s: Mapping[str, float]) -> str:
    """`topology=0.002,datatypes=1e-05`."""
    return ",".join(f"{what}={elapsed_s!r}" for what, elapsed_s in times_s.items())


def _block(block: Mapping[str, Any], clocks: Array) -> Mapping[str, Any]:
    costs = {
        f"{side}_{key}": within(block, f"{side}.{key}")
        for side in ("opening", "closing")
        for key in ("elapsed_s", "messages")
    }
    residuals = {key: within(block, f"closing.{key}") for key in ("residual_max_s", "interpolated_residual_max_s")}
    bounds = {"opening_bound_s": _largest(clocks["bound_s"]), "closing_bound_s": _largest(clocks["closing_bound_s"])}
    return {**costs, **residuals, **bounds}


def _largest(values: Array) -> float:
    """NaN where one is NaN, or there is none."""
    return float(np.max(values)) if values.size else float("nan")


def _ranks(
    document: Mapping[str, Any], ranks: Sequence[Mapping[str, Any]], hosts: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    index = {host.get("host"): number for number, host in enumerate(hosts)}
    leaders = within(document, "clock.domain_leader") or []
    return [
        {**rank, "host": index.get(rank.get("host")), "domain_leader": leaders[i] if i < len(leaders) else None}
        for i, rank in enumerate(ranks)
    ]


def _kinds(hosts: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The kinds of hosts, each once."""
    kinds: list[Mapping[str, Any]] = []
    for host in hosts:
        kind = _kind(host)
        if kind not in kinds:
            kinds.append(kind)
    return kinds


def _kind(host: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: value for key, value in host.items() if key not in _OF_HOST}


def _host(host: Mapping[str, Any], kinds: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    load = host.get("load_average")
    # Some kernels and some cores say one load average of three.
    loads = dict(zip(_LOADS, load if isinstance(load, list) else [load], strict=False))
    return {**host, "name": str(host.get("host")), "kind": kinds.index(_kind(host)), **loads}


def _heap(ranks: Array) -> str:
    """As the core says it: `kept`, `returned`, `mixed`, `unknown`."""
    states = set(ranks["keeps_freed_memory"].tolist())
    if not states or -1 in states:
        return "unknown"
    return "mixed" if len(states) > 1 else "kept" if states == {1} else "returned"
