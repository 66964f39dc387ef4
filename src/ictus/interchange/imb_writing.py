"""A launch in the form of IMB-MPI1 2021: tables that it could have printed."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from ictus.interchange.suite import ExportedCase, ExportedLaunch, WrittenOutput

_PAIR = "imb_pingpong"
_BENCHMARKS = {
    **{
        name: name.capitalize()
        for name in (
            "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast", "exchange", "gather",
            "gatherv", "reduce", "reduce_scatter", "reduce_scatter_block", "scatter", "scatterv",
        )
    },
    "sendrecv_ring": "Sendrecv",
    _PAIR: "PingPong",
}  # fmt: skip
"""IMB's names, by operation."""
_MESSAGES = {"sendrecv_ring": 2, "exchange": 4}
"""Messages of a repetition whose bytes IMB counts in Mbytes/sec."""
_WIDTH = 13


def write_imb(launch: ExportedLaunch) -> WrittenOutput:
    """A launch in the form of IMB-MPI1 2021."""
    tables: dict[str, list[ExportedCase]] = {}
    left_out: dict[str, None] = {}
    for case in launch.cases:
        needed = (case.max_s,) if case.operation == _PAIR else (case.min_s, case.max_s, case.mean_s)
        if case.operation in _BENCHMARKS and None not in needed:
            tables.setdefault(case.operation, []).append(case)
        else:
            left_out.setdefault(case.operation)
    lines = ["#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part", f"# ictus: label={launch.label}"]
    if launch.started != "unknown":
        moment = datetime.fromisoformat(launch.started)
        lines.append(f"# Date                  : {moment.strftime('%a %b %d %H:%M:%S %Y')}")
    for operation, rows in tables.items():
        lines += ["", *_written(operation, launch.n, rows)]
    text = "\n".join((*lines, "", "", "# All processes entering MPI_Finalize", ""))
    return WrittenOutput(text if tables else "", tuple(left_out))


def _written(operation: str, n: int, rows: Sequence[ExportedCase]) -> Iterator[str]:
    """One table."""
    times = ["t[usec]"] if operation == _PAIR else ["t_min[usec]", "t_max[usec]", "t_avg[usec]"]
    rates = ["Mbytes/sec"] if operation in (_PAIR, *_MESSAGES) else []
    sizes = [] if operation == "barrier" else ["#bytes"]
    columns = [*sizes, "#repetitions", *times, *rates]
    rule = f"#{'-' * (_WIDTH * len(columns) - 1)}"
    yield from (rule, f"# Benchmarking {_BENCHMARKS[operation]} ", f"# #processes = {n} ", rule)
    yield "".join(f"{name:>{_WIDTH}}" for name in columns)
    for row in rows:
        longest = row.max_s or 0.0
        columns_s = [longest] if operation == _PAIR else [row.min_s or 0.0, longest, row.mean_s or 0.0]
        moved = row.size_bytes * _MESSAGES.get(operation, 1)
        rate = [moved / longest / 1e6 if longest else 0.0] if rates else []
        numbers = [f"{1e6 * number:.4f}" for number in columns_s] + [f"{number:.2f}" for number in rate]
        counts = [*([row.size_bytes] if sizes else []), row.calls]
        yield "".join(f"{column:>{_WIDTH}}" for column in (*counts, *numbers))
