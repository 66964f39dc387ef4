"""Logs of nccl-tests and rccl-tests from a drawn truth: one time of a row is out of place, the other in place."""

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
)

PROGRAMS = ("all_reduce", "all_gather", "broadcast", "reduce_scatter", "sendrecv")


def nccl_part(draws: Draws) -> TruePart:
    """One start of one program."""
    name, n, gpus = draws.choice(PROGRAMS), draws.choice([2, 8]), 1
    kind = draws.choice(["float", "half", "bfloat16"])
    operator = draws.choice(["sum", "max"]) if "reduce" in name else "none"
    root = draws.choice([0, 1]) if name == "broadcast" else -1
    graph = draws.choice([0, 0, 0, 2])
    command = draws.choice([f"$ mpirun -np {n} ./build/{name}_perf -g 1", f"./build/{name}_perf -b 8", ""])
    head = [command] if command else ["# nccl-tests version 2.18.2", f"# Collective test starting: {name}_perf"]
    head += [
        f"# nThread 1 nGpus {gpus} minBytes 8 maxBytes 1024 step: 2(factor) warmup iters: 5 iters: 20 graph: {graph}",
        "#", "# Using devices",
        *(f"#  Rank {rank:>2} Group  0 Pid   77{rank} on  node1 device  {rank} [0x21] NVIDIA X" for rank in range(n)),
        draws.choice(["#", "NCCL version 2.20.5+cuda12.4"]),
        "#                                                              out-of-place                       in-place",
        "#   size      count   type   redop    root     time   algbw   busbw #wrong   time   algbw   busbw #wrong",
        "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)",
    ]  # fmt: skip
    part = TruePart((name, n, kind, operator, root, graph), n, [], head)
    rows = []
    for size in sizes(draws):
        words = [str(size), str(size // 2), kind, operator, str(root)]
        for _ in range(2):
            time, wrong = text_of(draws.number(1, 500_000)), "0" if not draws.chance(12) else "3"
            words += [time, "0.01", "0.02", wrong]
            part.rows.append(TrueRow(size, seconds(time), valid=wrong == "0"))
        rows.append("   ".join(words))
    _end(draws, part, rows)
    return part


def _end(draws: Draws, part: TruePart, rows: list[str]) -> None:
    fault = draws.choice(["", "", "", "failure", "silence", "damaged", "impossible", "twice", "nothing"])
    place = draws.number(0, len(rows) - 1)
    part.refused = fault in ("damaged", "impossible", "twice", "nothing")
    part.incomplete = fault in ("failure", "silence")
    if fault == "damaged":
        rows[place] = damaged_row(draws, rows[place])
    elif fault == "impossible":
        words = rows[place].split()
        words[draws.choice([5, 9])] = draws.choice(["-1.00", "nan", "0.28e30", "0.00"])
        rows[place] = "   ".join(words)
    elif fault == "twice":
        rows.append(rows[place])
    elif fault == "nothing":
        rows.clear()
    elif fault == "failure":
        rows.append(draws.choice(FAILURES))
    end = ["# Out of bounds values : 0 OK", "# Avg bus bandwidth    : 220.921", "#"]
    part.lines += [*rows, *([] if fault == "silence" else end)]


def nccl_log(draws: Draws) -> GeneratedLog:
    """A file of one to four starts."""
    return file_of(draws, [nccl_part(draws) for _ in range(draws.number(1, 4))], None)
