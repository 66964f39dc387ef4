"""MPICH's tree of choices, found in the bytes of a library, and in the one that is installed."""

import json
from pathlib import Path
from typing import Any

import pytest

from ictus.mpi.discover import find
from ictus.mpi.flavours.mpich_choices import selection_tree, tree_in

DEVICE: dict[str, Any] = {"collective=bcast": {"composition=MPIDI_Bcast_intra_composition_alpha": {}}}
OWN: dict[str, Any] = {"collective=bcast": {"comm_type=intra": {"algorithm=MPIR_Bcast_intra_binomial": {}}}}


def test_the_tree_of_the_layer_above_devices_is_found() -> None:
    """Between other texts, one of them of the device, one cut short."""
    texts = [json.dumps(DEVICE), '{"collective=bcast": {"algorithm=MPIR_', json.dumps(OWN), "collective="]
    content = b"\x7fELF\0" + b"\0".join(text.encode() for text in texts) + b"\0"
    assert tree_in(content) == OWN
    assert tree_in(content.replace(b"MPIR_Bcast_intra_binomial", b"MPIX_Bcast_intra_binomial")) is None
    assert tree_in(b"") is None


@pytest.mark.mpi
@pytest.mark.beside
def test_the_installed_mpich_has_one() -> None:
    """Every operation that algorithms are offered for is in it; Open MPI has none."""
    tree = selection_tree(find("mpich", "mpich"))
    assert tree is not None
    for operation in ("bcast", "gather", "scatter", "allgather", "allreduce", "reduce", "alltoall", "scan"):
        assert f"collective={operation}" in tree
    assert selection_tree(find("openmpi", "openmpi")) is None
    assert Path(find("mpich", "mpich").wrapper).exists()
