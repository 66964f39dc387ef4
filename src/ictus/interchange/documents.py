"""launch.json and the arrays of an imported launch: what its file says, and nothing else."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ictus.interchange.suite import PrintedCase, PrintedLaunch
from ictus.model.case import Case
from ictus.model.design import Slot
from ictus.model.registries import Registries
from ictus.model.sample import LATE, LONG, REJECTED
from ictus.store.document import version

NOWHERE = "unknown"
"""The one host of a launch whose hosts are not known."""


def launch_document(slot: Slot, launch: PrintedLaunch, cases: Mapping[int, Case]) -> dict[str, Any]:
    """A launch as one object with lists (model/launch_lists.py)."""
    case_pairs = zip(slot.cases, launch.cases, strict=True)
    return {
        "ictus": version(),
        "imported": f"{launch.program} {launch.version}",
        "n_ranks": launch.n,
        "seed": slot.seed,
        "started": launch.started,
        "elapsed_s": None,
        "mpi": {},
        "core": {},
        "clock": {"spec": launch.clock},
        "clocksync": {"spec": launch.clocksync, "synchronised": launch.clocksync != "none"},
        "options": {},
        "launcher": {"library": {"label": slot.mpi}},
        "cases": [_case(cases[case_id], printed, launch) for case_id, printed in case_pairs],
        "ranks": [{"host": NOWHERE}] * launch.n,
        "hosts": [{"host": NOWHERE, "n_ranks": launch.n}],
        "environment": {},
        "contention": {"contended": None},
        "warnings": list(launch.warnings),
    }


def _case(case: Case, printed: PrintedCase, launch: PrintedLaunch) -> dict[str, Any]:
    flags = printed.samples["flags"]
    return {
        "case_id": case.case_id,
        "operation": str(case.operation),
        "mpi_name": _mpi_name(case),
        "size_bytes": case.size_bytes,
        "block_bytes": case.block_bytes,
        "moved_bytes": case.moved_bytes,
        "datatype": case.datatype,
        "operator": case.operator,
        "root": int(case.root),
        "in_place": False,
        "comm": str(case.comm),
        **{name: str(getattr(case, name)) for name in ("layout", "procsync", "scheme", "repetition", "cache")},
        "calls": printed.calls,
        "validated": printed.validated,
        "block": 0,
        "headline": printed.headline,
        "attempted": int(flags.size),
        "valid": int(np.count_nonzero(flags == 0)),
        "late": int(np.count_nonzero(flags & LATE)),
        "long": int(np.count_nonzero(flags & LONG)),
        "rejected": int(np.count_nonzero(flags & REJECTED)),
        "window_s": launch.window_s,
    }


def _mpi_name(case: Case) -> str:
    """MPI's name of an operation of ours; of others their own."""
    members = Registries.load().family("operation").members
    return next((member.mpi_name for member in members if member.name == case.operation.name), str(case.operation))
