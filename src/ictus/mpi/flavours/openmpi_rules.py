"""Dynamic rules of Open MPI's component tuned, in the classic format that releases 4 and 5 read.

A rule holds from its size (or number of processes) up to that of the next; algorithm 0 gives the choice back to the
library. Sizes are total volumes, but of allgatherv, which counts one block.
"""

from collections.abc import Sequence
from itertools import groupby

from ictus.model.algorithm import COLLECTIVES
from ictus.mpi.tuning_files import FOLDER, AlgorithmRange, TuningFiles, contradicting

RULES = "openmpi.rules"
COLLECTIVES_OF_OPENMPI = (
    "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw", "barrier", "bcast", "exscan",
    "gather", "gatherv", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "scatter", "scatterv",
)  # fmt: skip
"""In the order of their numbers in a rules file."""
assert sorted(COLLECTIVES_OF_OPENMPI) == sorted(COLLECTIVES)

WITHOUT_SIZES_OF_OPENMPI = ("alltoallv", "barrier", "exscan", "gather", "scan", "scatter")
"""Their rules hold for all sizes: it looks them up at 0 (alltoallv, barrier) or at one element of each process (exscan,
scan), and those of gather and scatter by arguments that mean nothing on some ranks, who then choose otherwise than the
others and wait for ever.
"""


def dynamic_rules(ranges: Sequence[AlgorithmRange]) -> TuningFiles:
    """The file of rules, and the variables that make the library read it."""
    by_operation = [
        (name, list(of_operation)) for name, of_operation in groupby(ranges, key=lambda entry: entry.operation)
    ]
    lines = [f"{len(by_operation)} # collectives"]
    left_out: list[AlgorithmRange] = []
    for operation, of_operation in by_operation:
        by_n = [(n, list(of_n)) for n, of_n in groupby(of_operation, key=lambda entry: entry.n)]
        sections: dict[int, list[str]] = {}
        for n, of_n in by_n:
            sections[n] = _rules(of_n)
            sections.setdefault(n + 1, ["0 0 0 0 # its own choice"])
            left_out += contradicting(of_n, of_n[0]) if operation in WITHOUT_SIZES_OF_OPENMPI else ()
        lines += [
            f"{COLLECTIVES_OF_OPENMPI.index(operation)} # {operation}",
            f"{len(sections)} # numbers of processes",
        ]
        for n, rules in sorted(sections.items()):
            lines += [f"{n} # processes", f"{len(rules)} # sizes", *rules]
    environment = {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "true",
        "OMPI_MCA_coll_tuned_priority": "90",
        "OMPI_MCA_coll_tuned_dynamic_rules_filename": f"{FOLDER}/{RULES}",
    }
    read_proofs = {name.removeprefix("OMPI_MCA_"): value for name, value in environment.items()}
    unsized = tuple(name for name, _ in by_operation if name in WITHOUT_SIZES_OF_OPENMPI)
    return TuningFiles({RULES: "\n".join(lines) + "\n"}, environment, (), unsized, read_proofs, tuple(left_out))


def _rules(ranges: Sequence[AlgorithmRange]) -> list[str]:
    """Lines `size algorithm fan-out segment` of one operation and number of processes, ascending from 0."""
    if ranges[0].operation in WITHOUT_SIZES_OF_OPENMPI:
        first_range = ranges[0]
        return [f"0 {first_range.algorithm.number} 0 {first_range.segment_bytes} # {first_range.algorithm.name}"]
    rules = {0: "0 0 0 0 # its own choice"}
    for entry in ranges:
        block = entry.operation == "allgatherv"
        first, last = (entry.from_block, entry.to_block) if block else (entry.from_bytes, entry.to_bytes)
        rules[first] = f"{first} {entry.algorithm.number} 0 {entry.segment_bytes} # {entry.algorithm.name}"
        rules.setdefault(last + 1, f"{last + 1} 0 0 0 # its own choice")
    return [rules[size] for size in sorted(rules)]
