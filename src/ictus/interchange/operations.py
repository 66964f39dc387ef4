"""Operations by the names of other suites: which of ours is the same call."""

import re
from collections.abc import Mapping, Sequence
from zlib import crc32

from ictus.model.registries import Registries

COLLECTIVES = (
    "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw", "barrier", "bcast", "exscan",
    "gather", "gatherv", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "scatter", "scatterv",
)  # fmt: skip
"""Calls that are the same in every suite; neighbourhoods depend on a topology that suites choose for themselves."""
WHOLE_IS_PRINTED = ("reduce_scatter",)
"""Operations with blocks of which suites print the total volume."""


def collective(name: str, form: str = "blocking") -> str | None:
    """Our operation for a collective in one of its forms; None where there is none."""
    lower_name = name.lower()
    if lower_name not in COLLECTIVES:
        return None
    return {"blocking": lower_name, "nonblocking": f"i{lower_name}", "persistent": f"{lower_name}_init"}[form]


def reduces(name: str) -> bool:
    """Whether a call of this name, in any suite, applies an operator."""
    return any(part in name.lower() for part in ("reduce", "accumulate", "scan"))


def own_name(suite: str, text: str, **arguments: object) -> str:
    """The operation of a suite that none of ours is: `osu_latency`, `imb_unidir_put(mode=aggregate)`."""
    arguments_text = ",".join(f"{key}={value}" for key, value in arguments.items())
    return f"{suite}_{word(text)}" + (f"({arguments_text})" if arguments_text else "")


def word(text: str) -> str:
    """A text as a word of the grammar of names."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_") or "unnamed"


def datatype(mpi_name: str) -> str:
    """`MPI_FLOAT` is `float`; our own name where we have the type."""
    names = {known_type.mpi: known_type.name for known_type in Registries.load().datatypes}
    return names.get(mpi_name, mpi_name.removeprefix("MPI_").lower())


_LONGEST = 60
"""Characters of a header that is not understood; a longer one ends with its checksum."""


def header_fact(comments: Sequence[str]) -> str:
    """Comments that are not understood, as words of `word`: two that differ are two."""
    operation_name = "_".join(("is", *comments))
    return (
        operation_name
        if len(operation_name) <= _LONGEST
        else f"{operation_name[:_LONGEST]}_{crc32(operation_name.encode()):x}"
    )


def with_facts(operation: str, facts: Mapping[str, object]) -> str:
    """An operation with what else a table says of it: `osu_bw(accelerator=rocm,send=device)`."""
    name, parenthesis, after_name = operation.partition("(")
    earlier = [after_name.removesuffix(")")] if parenthesis else []
    arguments_text = ",".join((*earlier, *(f"{key}={value}" for key, value in facts.items())))
    return f"{name}({arguments_text})" if arguments_text else operation
