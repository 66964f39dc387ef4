"""What `ictus tune` writes, read by the libraries: every collective that they let somebody choose for, its range and
its number of processes. native/tests/programs/chosen_calls.c makes the calls and checks what they deliver.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.native.launching import Ended, start
from tests.native.programs import compiled
from tests.native.trees import installation

from ictus.model.algorithm import COLLECTIVES, Algorithm
from ictus.model.registries import Registries
from ictus.mpi.flavours.mpich_choices import selection_tree
from ictus.mpi.flavours.mpich_tuning import has_sizes
from ictus.mpi.flavours.openmpi_rules import WITHOUT_SIZES_OF_OPENMPI
from ictus.mpi.tuning_files import AlgorithmRange, TuningFiles
from ictus.tuning.drafts import write

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

CHOSEN_BYTES, OTHER_BYTES = 2**16, 2**17


def chosen_calls(label: str, folder: Path) -> Path:
    """The program, in a folder of the library's name."""
    own = folder / label
    own.mkdir()
    return compiled(label, "chosen_calls", own)


def choice(operation: str, n: int, algorithm: Algorithm) -> AlgorithmRange:
    """For calls of 64 KiB."""
    block = CHOSEN_BYTES // n if Registries.load().operation(operation).volume == "blocks" else CHOSEN_BYTES
    return AlgorithmRange(operation, n, CHOSEN_BYTES, CHOSEN_BYTES, block, block, algorithm)


def launched(program: Path, n: int, size: int, operations: Iterable[str], written: TuningFiles) -> Ended:
    """The program makes calls of these operations with the files in force; its folder is named after the library."""
    folder = program.parent
    for name, text in written.files.items():
        (folder / name).write_text(text.replace("{folder}", str(folder)))
    environment = dict(written.setting(str(folder)).environment)
    return start(program.parent.name, n, program, size, *operations, folder=folder, environment=environment)


def refused(ended: Ended) -> set[str]:
    """Operations of which the library said that it cannot."""
    assert ended.exit_code == 0, ended.error
    told = dict(line.split() for line in ended.output.splitlines())
    assert told.keys() == set(COLLECTIVES)
    return {operation for operation, word in told.items() if word == "refused"}


def test_openmpi_reads_its_rules(tmp_path: Path) -> None:
    """An algorithm that it does not have is refused at the chosen size by two processes, and nowhere else, by every
    collective that it has algorithms for: so all rules are in force. Those without a size are refused at each.

    With rules that it has, four processes do what they are to; binomial trees of gather and scatter too, where roots
    know other arguments than the others.
    """
    program = chosen_calls("openmpi", tmp_path)
    has_none = {"alltoallw", "gatherv", "scatterv"}
    missing = write("openmpi", [choice(operation, 2, Algorithm("x", 99)) for operation in COLLECTIVES], {})
    everywhere = launched(program, 2, CHOSEN_BYTES, COLLECTIVES, missing)
    assert refused(everywhere) == set(COLLECTIVES) - has_none
    elsewhere = launched(program, 2, OTHER_BYTES, COLLECTIVES, missing)
    assert refused(elsewhere) == set(WITHOUT_SIZES_OF_OPENMPI) == set(missing.unsized)
    good = {"gather": 2, "scatter": 2, "bcast": 6, "reduce": 5}
    right = write("openmpi", [choice(name, 4, Algorithm("x", good.get(name, 1))) for name in COLLECTIVES], {})
    assert refused(launched(program, 4, CHOSEN_BYTES, COLLECTIVES, right)) == set()
    assert refused(launched(program, 3, CHOSEN_BYTES - 1, COLLECTIVES, missing)) == set()


ALGORITHMS = {
    "allgather": "brucks", "allgatherv": "brucks", "allreduce": "recursive_doubling", "alltoall": "pairwise",
    "bcast": "scatter_ring_allgather", "gatherv": "linear", "reduce_scatter": "pairwise",
    "reduce_scatter_block": "recursive_halving", "scatterv": "linear",
}  # fmt: skip
"""Some that MPICH has, with conditions and without; for the others nonblocking calls."""


def poisoned(operation: str, own: Mapping[str, Any]) -> dict[str, Any]:
    """The branch of an operation with a question that MPICH has no answer to, always or above sizes that MPI_Init has
    calls of: where it is asked the program ends.
    """
    inner = own.get("comm_type=intra", own)
    question = "is_commutative" if operation not in ("allreduce", "reduce") else "is_sendbuf_inplace"
    question = "is_sendbuf_inplace" if operation.startswith("reduce_scatter") else question
    ends = {f"{question}=yes": inner, f"{question}=no": inner}
    if not has_sizes(operation):
        return {"comm_type=intra": ends}
    size = "avg_msg_size" if operation in ("allreduce", "alltoall", "bcast", "reduce") else "total_msg_size"
    return {"comm_type=intra": {f"{size}<=20000": inner, f"{size}=any": ends}}


def test_mpich_reads_its_tuning_file(tmp_path: Path) -> None:
    """What is put in front of a tree that ends the program is taken by two processes at the chosen size, for every
    collective at once; by three, or at another size where there is one, the program ends, for each.
    """
    program = chosen_calls("mpich", tmp_path)
    tree = selection_tree(installation("mpich"))
    assert tree is not None
    poison = {f"collective={name}": poisoned(name, tree[f"collective={name}"]) for name in COLLECTIVES}
    choices = {name: choice(name, 2, Algorithm(ALGORITHMS.get(name, "nb"))) for name in COLLECTIVES}
    whole = write("mpich", list(choices.values()), {}, {**tree, **poison})
    assert set(whole.unsized) == {name for name in COLLECTIVES if not has_sizes(name)}
    assert refused(launched(program, 2, CHOSEN_BYTES, COLLECTIVES, whole)) == set()
    for name, one in choices.items():
        key = f"collective={name}"
        written = write("mpich", [one], {}, {**tree, key: poison[key]})
        n, size = (2, OTHER_BYTES) if has_sizes(name) else (3, CHOSEN_BYTES)
        ended = launched(program, n, size, [name], written)
        assert ended.exit_code != 0, name
        assert "csel.c" in ended.error, name
