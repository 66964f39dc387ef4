"""A tuning from its folder: explains, races, confirms. All of it follows from the files on the disk, so that the same
command continues an interrupted tuning.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ictus.comparison.evidence import ComparisonEvidence
from ictus.comparison.times import stretches
from ictus.engine.backend import Backend
from ictus.engine.event import WarningNote
from ictus.guidelines.check.analysis import CheckResult, check_of
from ictus.guidelines.explain import Explanation, explain
from ictus.guidelines.judgement import too_few
from ictus.guidelines.measured import GuidelineMedians
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State, states_of
from ictus.model.algorithm import DEFAULT, Setting, Variant
from ictus.model.environment import common
from ictus.stats.rank_sum_test import RANK_SUM
from ictus.store.campaign import Campaign
from ictus.store.document import version
from ictus.tuning.budget import Budget
from ictus.tuning.candidates import CandidateField, TuningCell, cells_of, field_of
from ictus.tuning.confirming import ConfirmedRemedies, Winners, run as confirm
from ictus.tuning.drafts import TuningLibrary
from ictus.tuning.offers import Libraries, PingPongs
from ictus.tuning.outcome import Confirmation, Remedy, Result, Tuning, TuningResult
from ictus.tuning.races import RaceResult, beginning_s, races_of, run as race
from ictus.tuning.rechecking import ConfirmationOptions
from ictus.tuning.reroutes import redirectable
from ictus.tuning.session import TuningSession, over
from ictus.tuning.writing import write_all

_FEW = 3
"""Candidates that are named where some were not tried."""

Cells = Mapping[TuningCell, tuple[GuidelineVerdict, ...]]
"""Calls that break guidelines, with the verdicts that say so."""


@dataclass(frozen=True)
class TuningInput:
    """The input of a tuning."""

    budget_s: float
    launches: int
    limit: int
    guidelines: tuple[str, ...]
    """Names; empty: all of the check."""
    race: bool
    """False: only explain."""
    created: str


def tuned(session: TuningSession, libraries: Libraries, options: TuningInput) -> Tuning:
    """Everything, as far as the budget goes. Raises UsageError, MeasurementError."""
    check = as_default(check_of(session.check))
    cells = _cells(check, options)
    mine = {cell: verdicts for cell, verdicts in cells.items() if cell.place.algorithm == DEFAULT}
    pings = PingPongs(session, options.budget_s if options.race else None)
    explanations = tuple(
        _explained(pings, libraries, [verdict for verdicts_there in mine.values() for verdict in verdicts_there])
    )
    tuning = Tuning(
        check=str(session.check),
        created=options.created,
        ictus=version(),
        cells=(),
        explanations=explanations,
        files=(),
        recheck=(),
        checked=(),
        spent_s=session.spent_s(),
        budget_s=options.budget_s,
        warnings=(*_left_out(cells, mine), *pings.warnings()),
        undecided=states_of(check.verdicts).count(State.CANNOT_DECIDE),
        marks=(*check.marks, *filter(None, (session.reduction.caption,))),
        reduction=session.reduction,
    )
    return _remedied(tuning, session, libraries, options, check=check, cells=mine) if options.race else tuning


def _remedied(
    tuning: Tuning,
    session: TuningSession,
    libraries: Libraries,
    options: TuningInput,
    *,
    check: CheckResult,
    cells: Cells,
) -> Tuning:
    """The tuning with all that is raced, confirmed and written."""
    note = too_few(options.launches, len(cells), replace(check.options, test=RANK_SUM.name))
    if note:
        session.observer(WarningNote(f"if every call has a candidate, {note}"))
    raced = _raced(session, libraries, options, cells)
    tuning_libraries, confirmed = _confirmed(session, libraries, options, check, raced)
    results: dict[TuningCell, Confirmation] = {}
    for confirmation in (result for remedies in confirmed.values() for result in remedies.results):
        # of those that were tried for a call the one that is left, else the winner of its race
        if confirmation.remedy.cell not in results or confirmation.result in (Result.CONFIRMED, Result.UNCHECKED):
            results[confirmation.remedy.cell] = confirmation
    written = write_all(session, tuning_libraries, confirmed, check.rules)
    ended = (
        f"{label}: {library_remedies.ended}" for label, library_remedies in confirmed.items() if library_remedies.ended
    )
    return replace(
        tuning,
        cells=tuple(_tuned(cell, verdicts, raced.get(cell), results.get(cell)) for cell, verdicts in cells.items()),
        files=written.files,
        recheck=written.recheck,
        settings=written.settings,
        evidence=ComparisonEvidence(times=stretches(session.launches)) if session.launches else None,
        checked=tuple(text for library_remedies in confirmed.values() for text in library_remedies.checked),
        spent_s=session.spent_s(),
        warnings=(*tuning.warnings, *_not_tried(raced), *ended, *written.warnings),
    )


def as_default(check: CheckResult) -> CheckResult:
    """The check with the only variant of a library in place of the default: this variant is tuned."""
    only = dict(_only_variants(check.campaign))

    def renamed(configuration: Configuration) -> Configuration:
        return (
            replace(configuration, algorithm=DEFAULT)
            if only.get(configuration.library) == configuration.algorithm
            else configuration
        )

    series = {
        replace(key, configuration=renamed(key.configuration)): sizes for key, sizes in check.measured.series.items()
    }
    verdicts = tuple(replace(verdict, place=renamed(verdict.place)) for verdict in check.verdicts)
    return replace(check, measured=GuidelineMedians(series), verdicts=verdicts)


def bases_of(backend: Backend, campaign: Campaign) -> dict[str, Variant]:
    """How each library was launched in the check, under the name of the unchanged library."""
    only, forced = dict(_only_variants(campaign)), backend.variants(campaign.plan)
    variables = dict(common(campaign.plan.environment))
    plain = Variant(DEFAULT, Setting(variables))
    return {
        label: next(
            (
                over(plain, DEFAULT, variant.setting)
                for variant in forced.get(label, ())
                if variant.name == only.get(label) != DEFAULT
            ),
            plain,
        )
        for label in campaign.labels
    }


def _only_variants(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Labels of libraries that were launched in one way, with its name."""
    for label in campaign.labels:
        names = {launch.algorithm for launch in campaign.launches if launch.mpi == label}
        if len(names) == 1:
            yield label, names.pop()


def _cells(check: CheckResult, options: TuningInput) -> Cells:
    """The violated cells of the requested guidelines."""
    violated = [
        verdict for verdict in check.verdicts if not options.guidelines or verdict.rule.name in options.guidelines
    ]
    return cells_of(violated)


def _left_out(cells: Cells, mine: Cells) -> Iterator[str]:
    n_forced = len(cells) - len(mine)
    if n_forced:
        calls = "1 violation is" if n_forced == 1 else f"{n_forced} violations are"
        yield f"{calls} of launches in which an algorithm or a variable was forced: only the library as it is is tuned"


def _not_tried(raced: Mapping[TuningCell, RaceResult]) -> Iterator[str]:
    """Candidates that there was no room for, of each race that began once."""
    named = {
        (cell.place, cell.operation): race_result.field.left_out
        for cell, race_result in raced.items()
        if race_result.field.left_out and race_result.ended != "no time"
    }
    for (at, operation), names in named.items():
        names_text = ", ".join(names[:_FEW]) + (f" and {len(names) - _FEW} more" if len(names) > _FEW else "")
        yield f"{operation} ({at.library}, n={at.n}): not tried because of --time-budget or --limit: {names_text}"


def _explained(pings: PingPongs, libraries: Libraries, violated: Sequence[GuidelineVerdict]) -> Iterator[Explanation]:
    """Each violation with its known reasons."""
    for verdict in violated:
        yield explain(verdict, libraries.selected_algorithm(verdict), pings.link(verdict.place))


def _raced(
    session: TuningSession, libraries: Libraries, options: TuningInput, cells: Cells
) -> dict[TuningCell, RaceResult]:
    budget = Budget(options.budget_s)
    fields = [_field(libraries, options, cell, verdicts) for cell, verdicts in cells.items()]
    races = races_of([field for field in fields if len(field.candidates) > 1])
    results: dict[TuningCell, RaceResult] = {}
    for number, group in enumerate(races, 1):
        left_s = budget.racing_left_s(session.spent_s())
        share_s = budget.share_s(session.spent_s(), len(races) - number + 1)
        # the most costly come first, and get what they need to begin with all that may be tried
        share_s = max(share_s, min(beginning_s(session, group), left_s))
        results |= {race_result.field.cell: race_result for race_result in race(session, number, group, share_s)}
    return results


def _field(
    libraries: Libraries, options: TuningInput, cell: TuningCell, violated: Sequence[GuidelineVerdict]
) -> CandidateField:
    label, operation = cell.place.library, cell.operation
    offered = {} if operation.arguments else libraries.offers(label, operation.name)
    shorter = {name: variant for name, variant in offered.items() if variant.segment_bytes < max(cell.size_bytes, 1)}
    return field_of(cell, violated, shorter, libraries.usable(label), limit=options.limit)


def _confirmed(
    session: TuningSession,
    libraries: Libraries,
    options: TuningInput,
    check: CheckResult,
    raced: dict[TuningCell, RaceResult],
) -> tuple[dict[str, TuningLibrary], dict[str, ConfirmedRemedies]]:
    """By library: the facts about it, and its winners in fresh launches."""
    cells = _cells(check, options)
    remedies: dict[str, list[Remedy]] = {}
    for cell, race_result in raced.items():
        if race_result.winner is not None:
            remedies.setdefault(cell.place.library, []).append(Remedy(cell, race_result.winner, cells[cell]))
    by_label: dict[str, TuningLibrary] = {}
    confirmed: dict[str, ConfirmedRemedies] = {}
    for number, (label, own_remedies) in enumerate(remedies.items()):
        fields = tuple(each_race.field for cell, each_race in raced.items() if cell.place.library == label)
        offers = {name: variant for field in fields for name, variant in field.variants.items()}
        left_s = Budget(options.budget_s).left_s(session.spent_s()) / (len(remedies) - number)
        redirects = any(
            redirectable(Remedy(own_remedy.cell, each, own_remedy.violated))
            for own_remedy in own_remedies
            for each in (own_remedy.candidate, *raced[own_remedy.cell].next_best)
        )
        by_label[label] = libraries.library(label, check.measured, redirects=redirects)
        before = tuple(verdict for verdict in check.verdicts if verdict.place.library == label)
        means = ConfirmationOptions(options.launches, session.spent_s() + left_s, check.options, check.rules, before)
        others = {cell: race_result.next_best for cell, race_result in raced.items() if cell.place.library == label}
        winners = Winners(tuple(own_remedies), offers, fields, others)
        confirmed[label] = confirm(session, by_label[label], winners, means)
    return by_label, confirmed


def _tuned(
    cell: TuningCell,
    violated: tuple[GuidelineVerdict, ...],
    raced: RaceResult | None,
    confirmation: Confirmation | None,
) -> TuningResult:
    if raced is None:
        return TuningResult(cell, violated, 1, 0, 1, "nothing", None, None)
    return TuningResult(
        cell=cell,
        violated=violated,
        candidates=len(raced.field.candidates),
        looks=raced.standing.looks,
        left=len(raced.standing.alive),
        ended=raced.ended,
        winner=raced.winner if confirmation is None else confirmation.remedy.candidate,
        confirmation=confirmation,
        refused=raced.refused,
    )
