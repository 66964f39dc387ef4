"""Remedies as files that a library reads, and the variables that make it read them. The formats are the flavours'."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ictus.mpi.flavours import FLAVOURS
from ictus.mpi.flavours.mpich_tuning import Tree
from ictus.mpi.tuning_files import AlgorithmRange, TuningFiles, key, one_each


def write(
    flavour: str, ranges: Sequence[AlgorithmRange], variables: Mapping[str, str], tree: Tree | None = None
) -> TuningFiles:
    """The files of a library of this flavour. `variables` are settings that were confirmed besides."""
    format_of = {one.name: one.tuning_files for one in FLAVOURS}.get(flavour, _simulated)
    written = format_of(sorted(ranges, key=key), tree) if ranges else TuningFiles()
    environment = {**written.environment, **variables}
    text = "".join(f"{name}={value}\n" for name, value in sorted(environment.items()))
    files = {**written.files, **({"remedy.env": text} if environment else {})}
    return replace(written, files=files, environment=environment)


def _simulated(ranges: Sequence[AlgorithmRange], tree: Tree | None = None) -> TuningFiles:  # noqa: ARG001
    """What the simulated launcher's libraries read."""
    taken, left_out = one_each(ranges)
    variables = {f"SIMULATED_{name.upper()}": chosen for name, chosen in taken.items()}
    return TuningFiles({}, variables, whole=tuple(taken), left_out=left_out)
