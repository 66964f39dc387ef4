"""Logs of OSU Micro-Benchmarks, versions 5 to 7, from a drawn truth."""

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

PAIRS = {"Latency": "Latency Test", "Bandwidth": "Bandwidth Test", "Bibw": "Bi-Directional Bandwidth Test"}
COLLECTIVES = ("Allreduce", "Broadcast", "All-to-All Personalized Exchange", "Reduce", "Allgather")
COMMANDS = (
    "$ mpirun -np {n} {p}",
    "+ srun --ntasks={n} {p}",
    "mpiexec -n {n} --bind-to core ./{p}",
    "$ srun -n{n} {p}",
)
ON = {"HOST": "H", "DEVICE": "D", "MANAGED": "M"}


def osu_part(draws: Draws, asked_n: int) -> TruePart:
    """One start of one program."""
    of_pair = draws.chance(2)
    name = draws.choice(sorted(PAIRS) if of_pair else COLLECTIVES)
    is_rate = name in ("Bandwidth", "Bibw")
    accelerator = draws.choice(["", "", "-CUDA", "-ROCM", "-ZE", "-SYCL", "-OPENACC"])
    version = draws.choice(["5.3.2", "5.9", "6.2", "7.0", "7.4", "7.5"])
    datatype = draws.choice(["MPI_CHAR", "MPI_FLOAT", "MPI_INT"])
    title = PAIRS[name] if of_pair else f"{name} Latency Test"
    buffers = tuple(draws.choice(sorted(ON)) for _ in range(2)) if accelerator and of_pair else ()
    strange = draws.choice(["", "", "", "# Cache: flushed", "#Using NCCL", "# Huge pages: yes"])
    head = []
    n = 2 if of_pair else asked_n
    if draws.chance(3):
        n = n if of_pair else draws.choice([asked_n] * 9 + [24])
        head.append(draws.choice(COMMANDS).format(n=n, p=f"osu_{name.split()[0].lower().replace('-', '')}"))
    elif not of_pair:
        n = asked_n
    head.append(f"# OSU MPI{accelerator} {title} v{version}")
    if buffers:
        one, other = (f"{place} ({ON[place]})" for place in buffers)
        head.append(f"# Send Buffer on {one} and Receive Buffer on {other}")
    if strange:
        head.append(strange)
    told = datatype != "MPI_CHAR" or draws.chance(2)
    head += [f"# Datatype: {datatype}."] if told else []
    facts = (name, accelerator, buffers, strange, datatype, n)
    part = TruePart(facts, n, [], head, contradicted=n == 24)
    return _table(draws, part, is_rate=is_rate, of_pair=of_pair)


def _table(draws: Draws, part: TruePart, *, is_rate: bool, of_pair: bool) -> TruePart:
    full = not is_rate and not of_pair and draws.chance(2)
    unnamed = not is_rate and of_pair and draws.chance(5)
    checked = not unnamed and draws.chance(3)
    column = "Bandwidth (MB/s)" if is_rate else "Avg Latency(us)"
    columns = ["# Size    ", column, *(["Min Latency(us)", "Max Latency(us)", "Iterations"] if full else [])]
    part.lines.append("   ".join([*columns, *(["Validation"] if checked else [])]))
    rows = []
    for size in sizes(draws):
        least, mean, most = times_us(draws)
        good = not checked or not draws.chance(6)
        words = [f"{size:<10}", text_of(mean)]
        words += [text_of(least), text_of(most), "200"] if full or unnamed else []
        words += ["Pass" if good else "Fail"] if checked else []
        rows.append("     ".join(words))
        if is_rate:
            part.rows.append(TrueRow(size, size / seconds(text_of(mean), 6), valid=good))
        else:
            extremes = (seconds(text_of(least)), seconds(text_of(most))) if full or unnamed else (None, None)
            part.rows.append(TrueRow(size, seconds(text_of(mean)), *extremes, valid=good))
    _end(draws, part, rows, full=full or unnamed)
    return part


def _end(draws: Draws, part: TruePart, rows: list[str], *, full: bool) -> None:
    """Write the rows, with one of the faults that logs have, or none."""
    fault = draws.choice(["", "", "", "", "failure", "early", "damaged", "impossible", "header", "twice", "nothing"])
    if fault == "failure":
        part.lines += [*rows, draws.choice(FAILURES)]
        part.incomplete = True
    elif fault == "early":
        keep = draws.number(1, len(rows))
        part.rows = part.rows[:keep]
        part.lines += [*rows[:keep], draws.choice(FAILURES)]
        part.incomplete = True
    elif fault == "nothing":
        part.refused = True
    elif not fault:
        part.lines += rows
    else:
        part.refused = True
        place = draws.number(0, len(rows) - 1)
        bad = rows[place]
        if fault == "damaged":
            rows[place] = damaged_row(draws, bad)
        elif fault == "impossible":
            rows[place] = _impossible(draws, bad, full=full)
        elif fault == "twice":
            rows.append(bad)
        else:
            header = draws.choice(["# Size      Bandwidth (MB/s)", part.lines[-1], "# Datatype: MPI_DOUBLE."])
            rows[len(rows) :] = [header, f"{4194304:<10}     7.00"]
        part.lines += rows


def _impossible(draws: Draws, row: str, *, full: bool) -> str:
    """A row with a number that no call can have."""
    words = row.split()
    worst = ["-1.00", "nan", "0.28e30", "inf"]
    if full:
        least, most = words[2], words[3]
        swapped = [words[0], most, least, words[1], *words[4:]] if len({most, least, words[1]}) == 3 else None
        if swapped is not None and draws.chance(2):
            return "   ".join(swapped)
    words[1] = draws.choice(worst)
    return "   ".join(words)


def osu_log(draws: Draws) -> GeneratedLog:
    """A file of one to four programs."""
    asked_n = draws.choice([2, 8])
    return file_of(draws, [osu_part(draws, asked_n) for _ in range(draws.number(1, 4))], asked_n)
