"""What the study keeps in docs/data: rows as CSV. The page and its figures are made of nothing else."""

import csv
import dataclasses
import typing
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tools.tree_arity.__main__ import CSV as ARITY
from tools.tree_arity.__main__ import read as read_arity
from tools.tree_arity.section import Row as ArityRow

from .frontier import JUDGED_AT, Point
from .goal import NEVER_WORSE, Proof, Verdict, Width
from .simulate import ROOT
from .worlds import SYMMETRIC, Row

DATA = ROOT / "docs" / "data"
FRONTIERS = DATA / "clocks-study.csv"
AT_EQUAL_TIME = DATA / "clocks-at-equal-time.csv"
WIDTHS = DATA / "clocks-bound-widths.csv"
PROOFS = DATA / "clocks-proven-bounds.csv"
SETTINGS = DATA / "clocks-at-one-setting.csv"
WAITS_S = (0.0, 1.0, 5.0, 20.0)
RowKind = TypeVar("RowKind")


@dataclass(frozen=True)
class EqualTimeRow:
    """Ours against the best other algorithm in one world at one budget; errors are those 5 s after synchronising."""

    world: str
    budget_s: float
    other: str
    other_error_s: float
    ictus_error_s: float
    times_faster: float | None
    limit_by_wander_s: float | None
    other_messages: int
    ictus_messages: int
    outcome: str

    @property
    def ratio(self) -> float:
        """How many times smaller our error is."""
        return self.other_error_s / self.ictus_error_s

    @property
    def symmetric(self) -> bool:
        """Whether the ways there and back are equally long."""
        return self.world.partition(",")[0] in SYMMETRIC

    @property
    def worse(self) -> bool:
        """By more than 5 %."""
        return self.ratio < NEVER_WORSE and self.outcome != "tie"


@dataclass(frozen=True)
class WidthRow:
    """How many times wider the bounds of ours are than its errors at one wait, from setting to setting."""

    world: str
    wait_s: float
    narrowest: float
    widest: float
    violated: int  #: at all waits together
    judged: int


@dataclass(frozen=True)
class ProofRow:
    """Bounds that assume nothing, directly after synchronising."""

    world: str
    narrowest_s: float
    widest_s: float
    violated: int
    judged: int


@dataclass(frozen=True)
class SettingRow:
    """One algorithm at one setting: in virtual time, on real ranks (`mpich`, `openmpi`), or in `simgrid`."""

    place: str
    platform: str
    ranks: int
    drift_ppm: float
    wander_ppm: float
    algorithm: str
    elapsed_s: float
    messages: int
    max_0s_s: float
    max_1s_s: float
    max_5s_s: float
    max_20s_s: float
    p95_0s_s: float
    p95_1s_s: float
    p95_5s_s: float
    p95_20s_s: float
    violated: int | None  #: ranks, of all waits together; None: nothing is proven

    @property
    def max_s(self) -> tuple[float, ...]:
        """The largest errors over ranks, at each wait."""
        return (self.max_0s_s, self.max_1s_s, self.max_5s_s, self.max_20s_s)


@dataclass(frozen=True)
class StudyData:
    """All that the page says numbers of, but for the raw launches at equal time."""

    at_equal_time: Sequence[EqualTimeRow]
    widths: Sequence[WidthRow]
    proofs: Sequence[ProofRow]
    settings: Sequence[SettingRow]
    arity: Sequence[ArityRow]


def read_data() -> StudyData:
    """From docs/data."""
    return StudyData(
        read_rows(AT_EQUAL_TIME, EqualTimeRow),
        read_rows(WIDTHS, WidthRow),
        read_rows(PROOFS, ProofRow),
        read_rows(SETTINGS, SettingRow),
        read_arity(ARITY),
    )


def write_rows(path: Path, rows: Iterable[Any]) -> None:
    """With a head of the fields' names; numbers have four digits."""
    each = list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([field.name for field in dataclasses.fields(each[0])])
        writer.writerows([_text(value) for value in dataclasses.astuple(row)] for row in each)


def read_rows(path: Path, kind: type[RowKind]) -> list[RowKind]:
    """What `write_rows` wrote."""
    types = typing.get_type_hints(kind)
    with path.open(encoding="utf-8", newline="") as file:
        return [kind(**{name: _value(text, types[name]) for name, text in row.items()}) for row in csv.DictReader(file)]


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _value(text: str, kind: Any) -> Any:
    if kind in (str, int, float):
        return kind(text)
    inner = next(one for one in typing.get_args(kind) if one is not type(None))
    return inner(text) if text else None


def equal_time_row(one: Verdict) -> EqualTimeRow:
    """Of a verdict on one world at one budget."""
    match = one.match
    return EqualTimeRow(
        world=one.row.name,
        budget_s=match.budget_s,
        other=match.other.family,
        other_error_s=match.other.max_s[JUDGED_AT],
        ictus_error_s=match.ours.max_s[JUDGED_AT],
        times_faster=one.faster,
        limit_by_wander_s=match.ours.oracle_s if one.row.wander_ppm else None,
        other_messages=round(match.other.messages),
        ictus_messages=round(match.ours.messages),
        outcome=one.outcome,
    )


def width_rows(one: Width) -> list[WidthRow]:
    """A row for each wait."""
    return [
        WidthRow(one.row.name, wait, low, high, one.violated, one.judged)
        for wait, (low, high) in zip(WAITS_S, one.ratios, strict=True)
    ]


def proof_row(one: Proof) -> ProofRow:
    """Of the proofs on one world."""
    return ProofRow(one.row.name, *one.bound_s, one.violated, one.judged)


def virtual_row(row: Row, algorithm: str, result: dict[str, Any]) -> SettingRow:
    """Of one line of the large table."""
    waits = result["waits"]
    proven = waits[0]["bound_s"] is not None
    return SettingRow(
        "virtual", row.platform, row.size, row.drift_ppm, row.wander_ppm, algorithm,
        result["elapsed_s"], round(result["messages"]),
        *(wait["max_s"] for wait in waits), *(wait["p95_s"] for wait in waits),
        violated=sum(wait["violated"] for wait in waits) if proven else None,
    )  # fmt: skip


def command_rows(place: str, platform: str, document: dict[str, Any]) -> list[SettingRow]:
    """Of what `ictus clocks accuracy --json` says: a row for each number of ranks and algorithm."""
    found: dict[tuple[int, str], list[dict[str, Any]]] = {}
    for row in document["rows"]:
        found.setdefault((row["n"], row["algorithm"]), []).append(row)
    return [
        SettingRow(
            place, platform, n, 20.0, 0.0, algorithm, each[0]["elapsed_s"], round(each[0]["messages"]),
            *(row["max_s"] for row in each), *(row["p95_s"] for row in each),
            violated=sum(row["beyond"] for row in each) if each[0]["bounded"] else None,
        )
        for (n, algorithm), each in found.items()
    ]  # fmt: skip


def write_points(judged: Sequence[tuple[Row, tuple[Point, ...]]]) -> None:
    """Every point of every frontier: medians over the seeds."""
    waits = ("0s", "1s", "5s", "20s")
    head = ["world", "seeds", "algorithm", "spec", "elapsed_s", "messages", "oracle_5s_s"]
    head += [f"{what}_{wait}_s" for what in ("max", "p95", "bound") for wait in waits]
    with FRONTIERS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        for row, each in judged:
            for one in each:
                facts = [_text(one.elapsed_s), f"{one.messages:g}", _text(one.oracle_s)]
                numbers = [_text(value) for value in (*one.max_s, *one.p95_s, *one.bound_s)]
                writer.writerow([row.name, len(row.seeds), one.family, one.spec, *facts, *numbers])


def read_points(world: str) -> tuple[Point, ...]:
    """The frontier of one world, as `write_points` wrote it; violations are not in it."""
    with FRONTIERS.open(encoding="utf-8", newline="") as file:
        return tuple(_point(row) for row in csv.DictReader(file) if row["world"] == world)


def _point(row: dict[str, str]) -> Point:
    def each(what: str) -> tuple[float, ...]:
        return tuple(float(row[f"{what}_{wait:g}s_s"]) for wait in WAITS_S)

    return Point(
        family=row["algorithm"],
        spec=row["spec"],
        elapsed_s=float(row["elapsed_s"]),
        messages=float(row["messages"]),
        max_s=each("max"),
        p95_s=each("p95"),
        bound_s=each("bound") if row["bound_0s_s"] else (None,) * len(WAITS_S),
        violated=(),
        oracle_s=float(row["oracle_5s_s"]),
    )
