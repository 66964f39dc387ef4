"""What the launchers of MPICH and Intel MPI share: both are hydra."""

from collections.abc import Mapping


def exports(variables: Mapping[str, str]) -> tuple[str, ...]:
    """`-genv NAME VALUE` for each variable, in the order of names."""
    return tuple(word for name in sorted(variables) for word in ("-genv", name, variables[name]))
