"""Logs of ReproMPI from a drawn truth: raw run-times, or a summary."""

from tests.interchange.generated_logs import (
    FAILURES,
    Draws,
    GeneratedLog,
    TruePart,
    TrueRow,
    file_of,
    sizes,
)

CALLS = ("MPI_Bcast", "MPI_Allreduce", "MPI_Reduce")


def reprompi_part(draws: Draws, *, raw: bool) -> TruePart:
    """One launch of one call."""
    call, n = draws.choice(CALLS), draws.choice([2, 16])
    operator, root = draws.choice(["MPI_BOR", "MPI_SUM"]), draws.choice([0, 0, 1])
    strange = draws.choice(["", "", "", "#@buffers=device"])
    procsync = draws.choice(["MPI_Barrier", "dissem_barrier"])
    repetitions = draws.number(1, 4)
    head = [
        "#Command-Line Arguments: mpibenchmark --calls-list=x", "#MPI calls:", f"#\t{call}", "#Message sizes:",
        f"#@operation={operator}", "#@datatype=MPI_BYTE", "#@datatype_extent_bytes=1", "#@datatype_size_bytes=1",
        f"#@root_proc={root}", f"#@nprocs={n}", "#@clock=MPI_Wtime", "#@clocksync=None", f"#@procsync={procsync}",
        "#@runtime_type=local", f"#@nrep={repetitions}", *([strange] if strange else []),
    ]  # fmt: skip
    kind = "" if call == "MPI_Bcast" else operator
    part = TruePart((call, n, kind, root, strange, procsync), n, [], head)
    if raw:
        _raw(draws, part, call, repetitions)
    else:
        _summary(draws, part, call)
    part.lines += ["# Benchmark started at Mon Nov 23 07:44:26 2026", "# Execution time: 0s"]
    return part


def _time(draws: Draws) -> str:
    """Seconds with ten decimals."""
    return f"0.{draws.number(1, 10**9):010d}"


def _raw(draws: Draws, part: TruePart, call: str, repetitions: int) -> None:
    part.lines.append(f"{'test':>50} {'nrep':>10} {'count':>12} {'runtime_sec':>14}")
    rows = []
    for size in sizes(draws):
        times = [_time(draws) for _ in range(repetitions)]
        rows += [f"{call:>50} {number:>10} {size:>12} {time:>14}" for number, time in enumerate(times)]
        part.rows.append(TrueRow(size, max(map(float, times))))
    fault = draws.choice(["", "", "", "failure", "early", "gap", "cut", "impossible"])
    if fault == "early" and repetitions > 1:
        last = rows.pop()
        row = part.rows[-1]
        kept = [float(one.split()[3]) for one in rows if one.split()[2] == last.split()[2]]
        part.rows[-1] = TrueRow(row.size, max(kept))
        part.incomplete = True
    elif fault == "gap" and repetitions > 1:
        del rows[0]
        part.refused = True
    elif fault == "cut":
        rows[0] = rows[0].rsplit(maxsplit=1)[0]
        part.refused = True
    elif fault == "impossible":
        rows[0] = f"{rows[0].rsplit(maxsplit=1)[0]} {draws.choice(['-0.0000010000', '0.0000000000', '2.8e+30', 'nan'])}"
        part.refused = True
    part.lines += rows
    if fault == "failure":
        part.lines.append(draws.choice(FAILURES))
        part.incomplete = True


def _summary(draws: Draws, part: TruePart, call: str) -> None:
    names = ["mean_sec", "median_sec", "min_sec", "max_sec"]
    part.lines.append(" ".join([f"{'test':>50} {'count':>12} {'total_nrep':>10} {'valid_nrep':>10}", *names]))
    rows = []
    for size in sizes(draws):
        least, median, mean, most = sorted(_time(draws) for _ in range(4))
        rows.append([call, str(size), "100", "100", mean, median, least, most])
        part.rows.append(TrueRow(size, float(median)))
    fault = draws.choice(["", "", "", "failure", "outside", "cut"])
    if fault == "outside":
        bad = rows[draws.number(0, len(rows) - 1)]
        bad[5] = draws.choice([f"1{bad[7]}", "0.0000000000"])
        part.refused = True
    elif fault == "cut":
        rows[-1].pop()
        part.refused = True
    part.lines += ["   ".join(row) for row in rows]
    if fault == "failure":
        part.lines.append(draws.choice(FAILURES))
        part.incomplete = True


def reprompi_log(draws: Draws) -> GeneratedLog:
    """A file of one to three launches, all raw or all summaries."""
    raw = draws.chance(2)
    return file_of(draws, [reprompi_part(draws, raw=raw) for _ in range(draws.number(1, 3))], None)
