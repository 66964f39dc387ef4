"""A launch in the form of OSU Micro-Benchmarks 7.4: tables that its programs could have printed."""

from collections.abc import Iterator, Sequence

from ictus.interchange.suite import UNKNOWN_CALLS, ExportedCase, ExportedLaunch, WrittenOutput

_TITLES = {
    **{name: name.capitalize() for name in ("allgather", "allgatherv", "allreduce", "barrier", "gather", "gatherv")},
    **{name: name.capitalize() for name in ("reduce", "reduce_scatter", "reduce_scatter_block", "scatter", "scatterv")},
    "bcast": "Broadcast",
    "alltoall": "All-to-All Personalized Exchange",
    "alltoallv": "All-to-Allv Personalized Exchange",
    "alltoallw": "All-to-Allw Personalized Exchange",
    "osu_latency": "",
}
"""Titles without `Latency Test`, by operation."""


def write_osu(launch: ExportedLaunch) -> WrittenOutput:
    """All tables of a launch, one below the other, in the full form. The version of OSU is that whose form it is."""
    written_cases = [case for case in launch.cases if case.operation in _TITLES and case.mean_s is not None]
    tables: dict[tuple[str, str], list[ExportedCase]] = {}
    for case in written_cases:
        tables.setdefault((case.operation, case.datatype), []).append(case)
    parts = ["\n".join(_written(launch, *key, rows)) for key, rows in tables.items()]
    left_out = tuple(dict.fromkeys(case.operation for case in launch.cases if case not in written_cases))
    return WrittenOutput("\n".join(parts), left_out)


def _written(launch: ExportedLaunch, operation: str, kind: str, rows: Sequence[ExportedCase]) -> Iterator[str]:
    title = " ".join(("# OSU MPI", *_TITLES[operation].split(), "Latency Test v7.4"))
    started = "" if launch.started == "unknown" else f" started={launch.started}"
    full = all(row.min_s is not None and row.max_s is not None for row in rows)
    counted = all(row.calls != UNKNOWN_CALLS for row in rows)
    yield title
    yield f"# ictus: label={launch.label} n={launch.n}{started}"
    yield f"# Datatype: MPI_{kind.upper()}."
    columns = ["Avg Latency(us)", *(("Min Latency(us)", "Max Latency(us)") if full else ())]
    size = "# " if operation == "barrier" else f"{'# Size':<10}"
    yield size + "".join(f"{column:>18}" for column in columns) + (f"{'Iterations':>12}" if counted else "")
    for row in rows:
        times = (row.mean_s, *((row.min_s, row.max_s) if full else ()))
        first = "" if operation == "barrier" else f"{row.size_bytes:<10}"
        numbers = "".join(f"{1e6 * (time or 0.0):>18.4f}" for time in times)
        yield first + numbers + (f"{row.calls:>12}" if counted else "")
    yield ""
