"""Logs of Intel MPI Benchmarks from a drawn truth."""

from tests.interchange.generated_logs import (
    FAILURES,
    Draws,
    GeneratedLog,
    TruePart,
    TrueRow,
    damaged_row,
    file_of,
    seconds,
    sizes,
    text_of,
    times_us,
)

RULE = "#----------------------------------------------------------------"
BENCHMARKS = ("Allreduce", "Bcast", "Alltoall", "Reduce", "Sendrecv", "PingPong")
REDUCTIONS = ("Allreduce", "Reduce")


def imb_part(draws: Draws) -> TruePart:
    """One launch with one table."""
    name = draws.choice(BENCHMARKS)
    n = 2 if name == "PingPong" else draws.choice([2, 4, 16])
    waiting = draws.choice([0, 0, 2])
    moved, reduced = draws.choice(["MPI_BYTE", "MPI_FLOAT"]), draws.choice(["MPI_FLOAT", "MPI_DOUBLE"])
    operator = draws.choice(["MPI_SUM", "MPI_MAX"])
    option = draws.choice(["", "", "-map 2x4", "-off_cache -1", "-sync 1", "-iter 50"])
    strange = draws.choice(["", "", "", "# buffers: device"])
    threads = draws.choice([0, 0, 0, 4])
    version = draws.choice(["2018 Update 1", "2019 Update 6", "2021.9"])
    head = [f"$ mpirun -np {n + waiting} ./IMB-MPI1 {name}"] if draws.chance(3) else []
    head += [
        RULE, f"#    Intel(R) MPI Benchmarks {version}, MPI-1 part", RULE,
        "# Date                  : Tue Mar  3 09:10:12 2026", "# Machine               : x86_64", "",
        "# Calling sequence was: ", "", f"# ./IMB-MPI1 {option} {name}", "", "#",
        f"# MPI_Datatype                   :   {moved} ", f"# MPI_Datatype for reductions    :   {reduced} ",
        f"# MPI_Op                         :   {operator}  ", "# ", "# List of Benchmarks to run:", "", f"# {name}", "",
        RULE, f"# Benchmarking {name} ", f"# #processes = {n} " + (f"(threads: {threads})" if threads else ""),
    ]  # fmt: skip
    head += [f"# ( {waiting} additional processes waiting in MPI_Barrier)"] if waiting else []
    head += [strange] if strange else []
    head.append(RULE)
    kind = (reduced, operator) if name in REDUCTIONS else (moved, "")
    fact = "" if option == "-iter 50" else option
    return _table(draws, TruePart((name, n, waiting, kind, fact, strange, threads), n + waiting, [], head), name)


def _table(draws: Draws, part: TruePart, name: str) -> TruePart:
    single, checked = name == "PingPong", draws.chance(3)
    times = ["t[usec]", "Mbytes/sec"] if single else ["t_min[usec]", "t_max[usec]", "t_avg[usec]"]
    part.lines.append("  ".join(["       #bytes #repetitions", *times, *(["defects"] if checked else [])]))
    rows: list[str] = []
    for size in sizes(draws):
        least, mean, most = times_us(draws)
        good = not checked or not draws.chance(6)
        shown = [text_of(most), "7.00"] if single else [text_of(least), text_of(most), text_of(mean)]
        words = [f"{size:>13}", "1000", *shown, *(["0.00" if good else "1.00"] if checked else [])]
        if draws.chance(12):  # a check of the build, which knows better than the column
            rows += [f"1: Error {name},size = {size},sample #0", "Process 1: Got invalid buffer:", "pos: 0"]
            good, part.incomplete = False, True
        rows.append("         ".join(words))
        largest = seconds(text_of(most))
        row = TrueRow(size, largest, None, largest, good) if single else TrueRow(
            size, seconds(text_of(mean)), seconds(text_of(least)), largest, good
        )  # fmt: skip
        part.rows.append(row)
    _end(draws, part, rows, single=single)
    return part


def _end(draws: Draws, part: TruePart, rows: list[str], *, single: bool) -> None:
    fault = draws.choice(
        ["", "", "", "", "failure", "silence", "time-out", "damaged", "impossible", "header", "nothing"]
    )
    places = [place for place, row in enumerate(rows) if row.startswith(" ")]
    place = draws.choice(places)
    if fault in ("damaged", "impossible", "header", "nothing"):
        part.refused = True
    if fault == "damaged":
        rows[place] = damaged_row(draws, rows[place])
    elif fault == "impossible":
        words = rows[place].split()
        least, most = words[2], words[3]
        words[2] = draws.choice(["-1.00", "nan", "0.28e30", "0.00"])
        if not single and least != most and draws.chance(2):
            words[2], words[3] = most, least
        rows[place] = "   ".join(words)
    elif fault == "header":
        rows += [part.lines[-1], rows[place].replace(rows[place].split()[0], "8388608", 1)]
    elif fault == "nothing":
        rows.clear()
    elif fault == "time-out":
        rows.append('4194304 time-out.; Time limit is over; use "-time X" or SECS_PER_SAMPLE to increase time limit.')
        part.incomplete = True
    elif fault == "failure":
        rows.append(draws.choice(FAILURES))
        part.incomplete = True
    part.incomplete = part.incomplete or fault == "silence"
    part.lines += [*rows, "", "", *([] if fault == "silence" else ["# All processes entering MPI_Finalize", ""])]


def imb_log(draws: Draws) -> GeneratedLog:
    """A file of one to four launches."""
    return file_of(draws, [imb_part(draws) for _ in range(draws.number(1, 4))], None)
