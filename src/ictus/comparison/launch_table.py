"""The launches of a campaign in the order in which they ran, with the state of the machine that their probes found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ictus.comparison.modes import machine_modes
from ictus.render.table import NONE, Block, Cell, Column, Table, Times
from ictus.store.campaign import Campaign


@dataclass(frozen=True)
class LaunchRow:
    """One launch. None for what its probes could not tell."""

    launch: str
    """Its folder in the campaign."""
    mpi: str
    algorithm: str
    n: int
    started: str
    elapsed_s: float | None
    contended: bool
    mode: int | None
    """Of the machine, from 1; None without probes, and where it changed."""
    mode_changed: bool
    line_round_trip_s: float | None
    """Of a cache line between the neighbours that are farthest apart."""
    block_round_trip_s: float | None
    """The same of 4 KiB."""
    multiplications_hz: float | None
    """Of the slowest core."""
    copy_bytes_per_s: float | None
    """Of the slowest rank while all copy."""
    leader_round_trip_s: float | None
    """Between hosts, by the library's own send and receive: of that library only."""


def launch_rows(campaign: Campaign) -> tuple[LaunchRow, ...]:
    """All launches that were loaded."""
    (modes,) = machine_modes(campaign).of_launches
    rows = []
    for launch, mode in zip(campaign.launches, modes, strict=True):
        head = launch.record.head
        probes = () if head.machine is None else head.machine.probes
        rows.append(
            LaunchRow(
                launch.folder.name,
                launch.mpi,
                launch.algorithm,
                launch.n,
                head.started,
                head.elapsed_s,
                launch.contended,
                None if mode < 0 else mode + 1,
                head.machine is not None and head.machine.changed,
                _extreme(max, [probe.line_round_trip_s.max for probe in probes]),
                _extreme(max, [probe.block_round_trip_s.max for probe in probes]),
                _extreme(min, [probe.multiplications_hz.min for probe in probes]),
                _extreme(min, [probe.copy_together_bytes_per_s.min for probe in probes]),
                _extreme(max, [probe.leader_round_trip_s.max for probe in probes]),
            )
        )
    return tuple(rows)


def _extreme(which: Any, values: Sequence[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return which(numbers) if numbers else None


def launch_table(rows: Sequence[LaunchRow]) -> Table[LaunchRow]:
    """One row for each launch."""
    column = Column[LaunchRow]
    several_hosts = any(row.leader_round_trip_s is not None for row in rows)
    columns = (
        column("launch", "launch", lambda row: row.launch, "left"),
        column("started", "started", lambda row: row.started[11:19], "left", 3),
        column("mode", "mode", _mode),
        column("line_round_trip_s", "cores apart", lambda row: Times(row.line_round_trip_s), "point"),
        column("block_round_trip_s", "4 KiB", lambda row: Times(row.block_round_trip_s), "point", 1),
        *(
            (column("leader_round_trip_s", "hosts apart", lambda row: Times(row.leader_round_trip_s), "point", 1),)
            if several_hosts
            else ()
        ),
        column("multiplications_hz", "speed", lambda row: _giga(row.multiplications_hz), "point", 2, unit="G/s"),
        column("copy_bytes_per_s", "copies", lambda row: _giga(row.copy_bytes_per_s), "point", 2, unit="GB/s"),
        column("contended", "", _mark, "left"),
    )
    note = (
        "Probes of the machine: worst round trip of a cache line and of 4 KiB between neighbouring ranks, "
        "multiplications of the slowest core, copies of the slowest rank while all copy."
    )
    return Table(columns, [Block("Launches", "", rows)], note, title="Launches", kind="launches")


def _mode(row: LaunchRow) -> str:
    return "changed" if row.mode_changed else NONE if row.mode is None else str(row.mode)


def _giga(value: float | None) -> str:
    return NONE if value is None else f"{value / 1e9:.3g}"


def _mark(row: LaunchRow) -> Cell:
    return Cell("disturbed" if row.contended else "", "dim")
