"""The claim that tuning mends violated guidelines, from a check and the tuning of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from typing import Any, ClassVar

from ictus.comparison.verdict_texts import p_text
from ictus.engine.event import Observer
from ictus.guidelines.check.analysis import CheckResult
from ictus.guidelines.check.tables import count_table
from ictus.model.document import Document, DocumentPart
from ictus.model.quantity import format_duration, format_size
from ictus.render.figures.latency import LatencyPoint, LatencySeries, latency_figure
from ictus.render.page import Legend, Panel
from ictus.render.table import NONE, Block, Column, Table
from ictus.stats.claim_rules import LEVEL, Ruling, Seen
from ictus.store.document import now, version, write_document
from ictus.studies.claim import SELF_CONSISTENT, Claim, ClaimResult, quick_or
from ictus.studies.guidelines.study import MARGIN, CheckMaterial
from ictus.studies.keeping import read_kept
from ictus.studies.material import Material, Provenance, StudyRequest
from ictus.studies.study import study_of_claims
from ictus.tuning.outcome import SAID, Result, TuningResult, tuned_row
from ictus.tuning.study import tune

TUNING = "tuning"
"""The folder of the tuning, inside that of the check."""
BEFORE, AFTER, INSTEAD = "as it is", "with the remedy", "allowed at most"
SERIES = Legend((BEFORE, AFTER, INSTEAD))
_NOTHING_LEFT = ("nothing-better", "nothing-to-try")
_SAID = {
    **{result.value: text for result, text in SAID.items()},
    "no-time": "not tried, as the time budget ended",
    "unconfirmed": "not confirmed, as the time budget ended",
    "nothing-better": "for which nothing better was found",
    "nothing-to-try": "for which there is nothing to try",
}
"""By result, what is said of so many calls."""


class RemedyRow(DocumentPart):
    """A call that breaks guidelines, and what became of it; as a row of `ictus tune --json`."""

    mpi: str
    n: int
    operation: str
    size_bytes: int
    guidelines: tuple[str, ...]
    race: str
    """How the race ended."""
    winner: str | None
    before_s: float | None
    after_s: float | None
    instead_s: float | None
    """In the check: the fastest that a guideline compares it with."""
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    p_adjusted: float | None
    """Of the remedies of the library that were confirmed together."""
    result: str

    @property
    def is_confirmed(self) -> bool:
        """Whether fresh launches confirmed its remedy."""
        return self.result == Result.CONFIRMED.value

    @property
    def has_none(self) -> bool:
        """Whether it is shown that nothing which was tried makes it faster by as much as the margin."""
        if self.result in _NOTHING_LEFT:
            return self.race in ("decided", "nothing")
        is_judged = self.result == Result.NOT_FASTER.value and self.ratio_low is not None
        return is_judged and self.ratio_low is not None and self.ratio_low > 1 / MARGIN


class RemediesDocument(Document):
    """All calls that break guidelines, after the tuning."""

    FILE: ClassVar = "remedies.json"

    created: str
    rows: tuple[RemedyRow, ...]


@dataclass(frozen=True)
class Remedies:
    """The check and its tuning."""

    check: CheckResult
    rows: tuple[RemedyRow, ...]


def row_of(tuning_result: TuningResult) -> RemedyRow:
    """What became of one call."""
    values_known = tuned_row(tuning_result)
    instead = [verdict.right_s for verdict in tuning_result.violated if verdict.right_s is not None]
    values = {name: values_known[name] for name in RemedyRow.model_fields if name in values_known}
    return RemedyRow(**values, instead_s=min(instead, default=None))


CHECK = CheckMaterial()


@dataclass(frozen=True, kw_only=True)
class TuningMaterial(Material[Remedies]):
    """A check and its tuning; the plan has `tuning`, options of a tuning, beside those of a check."""

    def measure(self, request: StudyRequest, observer: Observer) -> Remedies:
        """The check, then its tuning; both go on where they were stopped."""
        plan, folder, launcher_choice = dict(request.claim_plan), request.place, request.launcher_choice
        tuning = plan.pop("tuning")
        check = CHECK.measure(replace(request, claim_plan=plan), observer)
        if not (folder / RemediesDocument.FILE).is_file():
            tuned = tune(
                folder,
                folder / TUNING,
                **tuning,
                seed=request.typed.get("seed"),
                launcher=launcher_choice.launcher,
                scenario=launcher_choice.scenario,
                observer=observer,
            )
            rows = tuple(map(row_of, tuned.cells))
            write_document(folder / RemediesDocument.FILE, RemediesDocument(ictus=version(), created=now(), rows=rows))
        return Remedies(check, read_kept(RemediesDocument, folder).rows)

    def read(self, folder: Path, **_: Any) -> Remedies:
        """Both, from the folder."""
        rows = read_kept(RemediesDocument, folder).rows
        return Remedies(CHECK.read(folder), rows)

    def provenance(self, record: Remedies, folder: Path) -> Provenance:
        """That of the check."""
        return CHECK.provenance(record.check, folder)


def judge_remedies(rows: Sequence[RemedyRow]) -> Ruling:
    """One confirmed remedy is enough. A tuning adjusts over the remedies of a library; libraries are tuned apart, so
    that their number adjusts (Bonferroni). Refuted where every call is shown to have none.
    """
    libraries = len({remedy_row.mpi for remedy_row in rows})
    confirmed = [row.p_adjusted for row in rows if row.is_confirmed and row.p_adjusted is not None]
    p_value = min(1.0, libraries * min(confirmed)) if confirmed else None
    if p_value is not None and p_value <= LEVEL:
        return Ruling(Seen.HOLDS, p_value)
    if rows and all(row.has_none for row in rows):
        return Ruling(Seen.DOES_NOT_HOLD, p_value, refuted=True)
    return Ruling(Seen.CANNOT_BE_SEEN, p_value)


def because(rows: Sequence[RemedyRow]) -> str:
    """How many calls are mended in each library, and the best of them; else that there is nothing to mend."""
    if not rows:
        return "no guideline is found violated by these launches: there is nothing to mend"
    counts = []
    for label in dict.fromkeys(row.mpi for row in rows):
        remedy_rows = [remedy_row for remedy_row in rows if remedy_row.mpi == label]
        counts.append(f"{sum(row.is_confirmed for row in remedy_rows)} of {len(remedy_rows)} of {label}")
    sentence = f"calls that break guidelines and have a confirmed remedy: {', '.join(counts)}"
    best = min((row for row in rows if row.is_confirmed and row.ratio), key=lambda row: row.ratio or 1.0, default=None)
    if best is None:
        results = [_SAID[row.result] for row in rows]
        return f"{sentence}; {', '.join(f'{results.count(text)} {text}' for text in dict.fromkeys(results))}"
    call = f"{best.operation} of {format_size(best.size_bytes)} in {best.mpi}"
    return f"{sentence}; the best, {best.winner} for {call}, takes {best.ratio:.3g} times as long"


def remedy_table(rows: Sequence[RemedyRow]) -> Table[RemedyRow]:
    """Each call before and after; a block for each operation of each library."""
    column = Column[RemedyRow]
    columns = (
        column("size_bytes", "size", lambda remedy_row: format_size(remedy_row.size_bytes)),
        column("guidelines", "guidelines", lambda row: ",".join(row.guidelines), "left", 3),
        column("winner", "remedy", lambda row: row.winner or NONE, "left"),
        column("before_s", "before", lambda row: _time(row.before_s)),
        column("after_s", "after", lambda row: _time(row.after_s)),
        column("ratio", "ratio", lambda row: NONE if row.ratio is None else f"{row.ratio:.3f}", "point"),
        column(
            "p_adjusted",
            "adjusted p",
            lambda row: NONE if row.p_adjusted is None else p_text(row.p_adjusted),
            "point",
            2,
        ),
        column("result", "result", lambda row: row.result, "left"),
    )
    blocks = [
        Block(f"{operation}, {mpi}, {n} processes", "", remedy_rows)
        for (mpi, n, operation), remedy_rows in _by_call(rows)
    ]
    return Table(columns, blocks)


def remedy_panels(rows: Sequence[RemedyRow]) -> tuple[Panel, ...]:
    """The paper's Fig. 2 and 3 in one: each call as it is, with its remedy, and what the guideline compares with."""
    panels = []
    for (mpi, n, operation), remedy_rows in _by_call([row for row in rows if row.after_s is not None]):
        times = {BEFORE: [row.before_s for row in remedy_rows], AFTER: [row.after_s for row in remedy_rows]}
        times[INSTEAD] = [remedy_row.instead_s for remedy_row in remedy_rows]
        lines = [
            LatencySeries(name, SERIES.index(name), tuple(map(_point, (row.size_bytes for row in remedy_rows), values)))
            for name, values in times.items()
        ]
        title, detail = f"{operation}, {mpi}", f"{n} processes"
        panels.append(Panel(title, detail, latency_figure(lines, f"{title} before and after, {detail}")))
    return tuple(panels)


def _by_call(rows: Sequence[RemedyRow]) -> list[tuple[tuple[str, int, str], list[RemedyRow]]]:
    ordered = sorted(rows, key=lambda remedy_row: remedy_row.size_bytes)
    calls = dict.fromkeys((row.mpi, row.n, row.operation) for row in rows)
    return [(call, [row for row in ordered if (row.mpi, row.n, row.operation) == call]) for call in calls]


def _point(size_bytes: int, time_s: float | None) -> LatencyPoint:
    """A median alone: the tuning reports intervals of ratios."""
    time = nan if time_s is None else time_s
    return LatencyPoint(size_bytes, time, time, time)


def _time(seconds: float | None) -> str:
    return NONE if seconds is None else format_duration(seconds)


def _judge(remedies: Remedies) -> ClaimResult:
    rows: tuple[Mapping[str, Any], ...] = tuple(row.model_dump(mode="json") for row in remedies.rows)
    tables: tuple[Table[Any], ...] = (count_table(remedies.check), *((remedy_table(remedies.rows),) if rows else ()))
    return ClaimResult(
        judge_remedies(remedies.rows), because(remedies.rows), tables, rows, remedy_panels(remedies.rows), SERIES
    )


CLAIMS = (
    Claim(
        "remedies",
        "Where a library breaks a guideline, other algorithms or settings of it, or other calls, mend that.",
        f"{SELF_CONSISTENT}, sec. 5.2, Fig. 2 and 3",
        "a remedy that wins a race of candidates makes the call faster in fresh launches (rank tests, Holm in each "
        "library, Bonferroni over libraries, 5 %) and the guidelines then hold: one is enough; refuted where every "
        "call is shown to have nothing that is 5 % faster",
        quick_or(
            {
                "sizes": "2Ki,16Ki",
                "launches": 9,
                "nrep": 30,
                "guidelines": "GL7,GL9",
                "tuning": {"budget_s": 36.0, "launches": 6, "nrep": 30, "limit": 6},
            },
            {
                "sizes": "paper",
                "launches": 30,
                "nrep": 1000,
                "guidelines": "paper",
                "tuning": {"budget_s": 3600.0, "launches": 20, "nrep": 200, "limit": 24},
            },
            n=2,
            procsync="barrier(library)",
            confirm=True,
        ),
        _judge,
    ),
)

STUDY = study_of_claims("remedies", TuningMaterial(), CLAIMS)
