"""The core's record of one launch, typed: launch.json and the small arrays beside it, or launch.json of format 1.

`read_launch` is the only reader. Cases are read at once; entries per rank, block or host are read on demand.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ictus.model.document import check_version, object_in, parsed
from ictus.model.errors import MeasurementError
from ictus.model.input_file import ARRAY_BYTES, file_content
from ictus.model.launch_arrays import ARRAYS, NO_ROOT, ROTATING, ROTATING_ROOT, Array, conform
from ictus.model.launch_lists import SplitLaunch, split_launch
from ictus.store.checksums import UNCHECKED, Checksums
from ictus.store.journal import check_own
from ictus.store.launch_head import LaunchHead, ListedLaunch
from ictus.store.npy_header import read_header

HEADLINES = ("makespan", "local_max", "local_mean")
"""Fields of a sample that can be the headline of a case: the first where clocks are synchronised, the last where
another suite printed a mean over processes.
"""


@dataclass(frozen=True)
class MeasuredCase:
    """One case of a launch; None for what has no meaning for its operation, or is unknown."""

    case_id: int
    operation: str
    mpi_name: str
    size_bytes: int
    block_bytes: int
    moved_bytes: int
    count: int
    datatype: str
    operator: str | None
    root: int | str | None
    """A rank, or `rotating`."""
    timed_root: int | str | None
    """The rank of those that call together whose duration samples keep as `root`, or `rotating`; None: rank 0 of the
    launch.
    """
    in_place: bool
    layout: str
    comm: str
    comm_size: int
    counts: str | None
    procsync: str
    scheme: str
    repetition: str
    cache: str
    cache_bytes: int | None
    """The cache that was to be cold."""
    warmup: int
    calls: int
    """Calls in one sample, whose times are per call; 0 where another suite does not say."""
    set_up_s: str
    """What was made before the first call, and how long that took: `topology=0.002`."""
    validated: bool
    block: int
    headline: str
    attempted: int
    valid: int
    late: int
    long: int
    rejected: int
    window_s: float | None
    started_s: float | None
    elapsed_s: float | None


@dataclass(frozen=True)
class Host:
    """One host of a launch."""

    name: str
    n_ranks: int
    load_average_1: float | None
    """Over the minute before the launch."""
    steal_s: float | None
    busy_s: float | None
    kind: Mapping[str, Any]
    """What it shares with hosts like it: processor, caches, kernel, network."""


@dataclass(frozen=True)
class LaunchRecord:
    """One launch. Times in seconds; arrays have the columns of ictus.model.launch_arrays."""

    head: LaunchHead
    cases: tuple[MeasuredCase, ...]
    """In measuring order."""
    read: Callable[[str], Array] = field(repr=False, compare=False)
    """One of the arrays, by its name."""

    @cached_property
    def case_ranks(self) -> Array:
        """Shape (cases, ranks): each rank's own durations."""
        return self.read("case_ranks")

    @cached_property
    def blocks(self) -> Array:
        """Shape (blocks,): the clock measurements around each block."""
        return self.read("blocks")

    @cached_property
    def clocks(self) -> Array:
        """Shape (blocks, ranks)."""
        return self.read("clocks")

    @cached_property
    def ranks(self) -> Array:
        """Shape (ranks,); `host` is an index into `hosts`."""
        return self.read("ranks")

    @cached_property
    def hosts(self) -> tuple[Host, ...]:
        """All hosts."""
        names = ("name", "n_ranks", "load_average_1", "steal_s", "busy_s", "kind")
        rows = self.read("hosts")[list(names)].tolist()
        foreign = next((kind for *_, kind in rows if kind >= len(self.head.kinds)), None)
        if foreign is not None:
            raise MeasurementError(
                f"hosts.npy: kind {foreign} is not in the {len(self.head.kinds)} kinds of launch.json"
            )
        return tuple(
            Host(
                name.decode(errors="replace"),
                n,
                _known(load),
                _known(steal),
                _known(busy),
                self.head.kinds[kind] if kind >= 0 else {},
            )
            for name, n, load, steal, busy, kind in rows
        )

    @property
    def n_ranks(self) -> int:
        """Ranks that measured."""
        return self.head.n_ranks

    @property
    def seed(self) -> int:
        """The seed of the launch."""
        return self.head.seed

    @property
    def synchronised(self) -> bool:
        """Whether clocks were synchronised."""
        return self.head.clocksync.synchronised

    @property
    def contended(self) -> bool:
        """Whether others took more of the CPU time than is allowed."""
        return self.head.contention.contended is True

    @property
    def disturbed(self) -> bool:
        """Whether others took CPU time, or the mode of the machine changed meanwhile: it is worth a repetition."""
        return self.contended or (self.head.machine is not None and self.head.machine.changed)

    @property
    def share(self) -> float | None:
        """Share of CPU time that others took; None where it is unknown."""
        return self.head.contention.share


def read_launch(folder: Path, checksums: Checksums = UNCHECKED) -> LaunchRecord:
    """A launch folder, of either format; MeasurementError names the file, the field and what was expected, an array
    that is missing or torn, and a file that is not what the checksums say. UsageError for a format of a later Ictus.
    """
    check_own(folder)
    path = folder / LaunchHead.FILE
    content = file_content(path)
    checksums.check_bytes(path, content)
    document = object_in(content, path)
    check_version(document, str(path), LaunchHead.SCHEMA)
    if document["format"] == 1:
        return listed_launch(document, path)
    head = LaunchHead.parse(document, str(path))
    for array in head.arrays.values():
        _check_shape(folder / array.file, array.shape, path)
    read = _Arrays(folder, head, checksums)
    return LaunchRecord(head, _cases(read("cases"), path), read)


def listed_launch(document: Mapping[str, Any], path: Path) -> LaunchRecord:
    """A launch that is one object with lists, as `path` was in format 1. Raises as `read_launch`."""
    parsed(ListedLaunch, document, str(path))
    try:
        split: SplitLaunch = split_launch(document)
    except (TypeError, ValueError) as error:
        raise MeasurementError(f"{path}: {error}") from error
    files = {name: {"file": f"{name}.npy", "shape": list(array.shape)} for name, array in split.arrays.items()}
    samples = {"samples": {"file": "samples.npy", "shape": []}}
    head = LaunchHead.parse({**split.head, "arrays": {**samples, **files}}, str(path))
    return LaunchRecord(head, _cases(split.arrays["cases"], path), split.arrays.__getitem__)


@dataclass(frozen=True)
class _Arrays:
    """The arrays of a launch of format 2."""

    folder: Path
    head: LaunchHead
    checksums: Checksums

    def __call__(self, name: str) -> Array:
        """An array, read whole, with the columns that are known here."""
        path = self.folder / self.head.arrays[name].file
        header = read_header(path)
        content = file_content(path, ARRAY_BYTES)
        self.checksums.check_bytes(path, content)
        try:
            records = np.frombuffer(content, header.dtype, offset=header.begin).reshape(header.shape)
            return conform(records, ARRAYS[name])
        except ValueError as error:
            raise MeasurementError(f"{path}: {error}") from error


def _check_shape(path: Path, shape: tuple[int, ...], launch: Path) -> None:
    array_shape = read_header(path).shape
    if array_shape != shape:
        raise MeasurementError(f"{path} has shape {list(array_shape)}, {launch.name} says {list(shape)}")


def _cases(rows: Array, path: Path) -> tuple[MeasuredCase, ...]:
    names = rows.dtype.names or ()
    return tuple(_case(dict(zip(names, row, strict=True)), path) for row in rows.tolist())


def _case(values: dict[str, Any], path: Path) -> MeasuredCase:
    try:
        texts = {name: value.decode() for name, value in values.items() if isinstance(value, bytes)}
    except UnicodeDecodeError as error:
        raise MeasurementError(f"{path}: case {values['case_id']} has a text that is no UTF-8: {error}") from error
    if texts["headline"] not in HEADLINES:
        raise MeasurementError(
            f"{path}: headline {texts['headline']!r} of case {values['case_id']} is none of {', '.join(HEADLINES)}"
        )
    times = {name: _known(values[name]) for name in ("window_s", "started_s", "elapsed_s")}
    case_values = {
        "operator": texts["operator"] or None,
        "counts": texts["counts"] or None,
        **{name: _root(values[name]) for name in ("root", "timed_root")},
        "cache_bytes": values["cache_bytes"] if values["cache_bytes"] >= 0 else None,
        **{name: values[name] == 1 for name in ("in_place", "validated")},
    }
    return MeasuredCase(**{**values, **texts, **times, **case_values})


def _root(number: int) -> int | str | None:
    return {NO_ROOT: None, ROTATING_ROOT: ROTATING}.get(number, number)


def _known(number: float) -> float | None:
    """None for NaN."""
    return None if np.isnan(number) else number
