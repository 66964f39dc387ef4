"""Judges guidelines again with remedies in force: each call more strictly than the check, then the whole check. A
remedy that the second check does not confirm is not recommended.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ictus.guidelines.check.medians import measured_of
from ictus.guidelines.judgement import Options, launches_needed
from ictus.guidelines.measured import GuidelineMedians, MeasuredCell
from ictus.guidelines.question import repeated
from ictus.guidelines.rule import Kind, Rule
from ictus.guidelines.verdict import GuidelineVerdict
from ictus.guidelines.verify import unconfirmed, verify
from ictus.model.algorithm import DEFAULT
from ictus.model.errors import IctusError, Interruption
from ictus.model.quantity import format_size, format_span
from ictus.model.spec import Spec
from ictus.tuning.budget import affordable
from ictus.tuning.candidates import Candidate, Way
from ictus.tuning.drafts import RemedySet, TuningLibrary
from ictus.tuning.outcome import FreshLaunches, Remedy, remedied
from ictus.tuning.session import Calls, CampaignRequest, TuningSession, in_full
from ictus.tuning.side_effects import Blamed, blamed, remaining, touches


def judged_again(remedy: Remedy, fresh: FreshLaunches, options: Options) -> tuple[GuidelineVerdict, ...]:
    """The guidelines that the call broke, judged with the remedy in its place."""
    cell, other_call = remedy.cell, remedy in fresh.other_calls
    configuration = cell.place if other_call else remedied(cell.place)
    only = GuidelineMedians(
        {key: series for key, series in fresh.measured.series.items() if key.configuration == configuration}
    )
    only = _replaced(only, remedy) if other_call else only
    strict = replace(options, adjust="none")
    # With another call in its place a guideline that names this one compares it with itself.
    judged_before = [verdict for verdict in remedy.violated if not (other_call and _names(verdict, remedy.candidate))]
    again = [(broken, checked) for broken in judged_before for checked in verify([broken.rule], only, strict, [only])]
    verdicts = tuple(
        checked
        for broken, checked in again
        if checked.size_bytes == cell.size_bytes
        and (checked.right_size_bytes == broken.right_size_bytes or broken.kind is Kind.SPLIT)
    )
    beside = [] if remedy.candidate.way is not Way.MOCKUP or other_call else _beside(remedy, fresh, strict)
    return (*verdicts, *beside)


def _names(broken: GuidelineVerdict, candidate: Candidate) -> bool:
    """Whether the candidate is what the guideline compares with."""
    ways = {Kind.MONOTONY: Way.PADDING, Kind.SPLIT: Way.SPLITTING, Kind.PATTERN: Way.MOCKUP}
    if ways[broken.kind] is not candidate.way or broken.right_size_bytes != candidate.size_bytes:
        return False
    return broken.kind is not Kind.PATTERN or broken.rule.right == candidate.operation


def _beside(remedy: Remedy, fresh: FreshLaunches, options: Options) -> Iterator[GuidelineVerdict]:
    """The redirected call against what its guidelines name, in launches without the redirect library."""
    cell = remedy.cell
    configuration = remedied(cell.place)
    for broken in remedy.violated:
        left = fresh.measured.at(configuration, cell.operation, cell.layout, cell.size_bytes)
        right = fresh.measured.at(cell.place, broken.rule.right, broken.rule.right_layout, broken.right_size_bytes)
        if broken.kind is Kind.PATTERN and left is not None and right is not None:
            sides = {MeasuredCell(configuration, broken.rule.left, cell.layout): (left,)}
            sides[MeasuredCell(configuration, broken.rule.right, broken.rule.right_layout)] = (right,)
            yield from verify([broken.rule], GuidelineMedians(sides), replace(options, test="rank-sum"))


def _replaced(measured: GuidelineMedians, remedy: Remedy) -> GuidelineMedians:
    """The measured campaign, with the other call in place of the original at its size."""
    cell, candidate = remedy.cell, remedy.candidate
    other_series = measured.at(cell.place, candidate.operation, cell.layout, candidate.size_bytes)
    key = MeasuredCell(cell.place, cell.operation, cell.layout)
    if other_series is None or key not in measured.series:
        return measured
    series = tuple(
        replace(size_series, medians_s=other_series.medians_s)
        if size_series.size_bytes == cell.size_bytes
        else size_series
        for size_series in measured.series[key]
    )
    return GuidelineMedians({**measured.series, key: series})


@dataclass(frozen=True)
class ConfirmationOptions:
    """The means of confirmation."""

    launches: int
    """Launches of each variant."""
    until_s: float
    """What all launches of the tuning may have taken when it ends."""
    options: Options
    """How the check is judged."""
    rules: tuple[Rule, ...]
    """All of the check."""
    before: tuple[GuidelineVerdict, ...]
    """What the check said of this library."""


@dataclass(frozen=True)
class RepeatedCheck:
    """The result of the check with the remedies in force."""

    dropped: Blamed
    explanation: str = ""
    """In a sentence."""
    ended: str = ""
    """Why it could not be made; empty where it was."""
    remaining: Mapping[Remedy, str] = field(default_factory=dict)
    """What the library by itself violates where a variable of the user is removed."""


@dataclass(frozen=True)
class Recheck:
    """A draft for which the check runs again."""

    session: TuningSession
    library: TuningLibrary
    draft: RemedySet
    means: ConfirmationOptions

    def judged(self) -> RepeatedCheck:
        """All guidelines of the check, in launches with the draft in force. Raises Interruption."""
        remedies = [remedy for remedy in self.draft.remedies if self.library.in_force(remedy)]
        calls = _calls(self.library, self.means.rules)
        tests = sum(verdict.p_value is not None for verdict in self.means.before)
        least = launches_needed(max(tests, 1), self.means.options)
        launch_s = sum(self.session.launch_s(sum(map(len, call.values()))) for call in calls.values())
        launches = self._launches(least, launch_s)
        if launches is None:
            what = f"{least} launches of about {format_span(launch_s)} would check again with what is to be written"
            return RepeatedCheck({}, ended=f"the budget ended before {what}")
        amount = "1 remedy" if len(remedies) == 1 else f"{len(remedies)} remedies"
        self.session.note(f"{self.library.label}: checking again with {amount} in force, {launches} launches")
        try:
            measured = self._measured(calls, "", launches)
            predicted = unconfirmed(verify(self.means.rules, measured, self.means.options))
            splits = _splits(verdict for verdict in predicted if any(touches(each, verdict) for each in remedies))
            confirmed = [self._measured(splits, "-splits", launches)] if splits else []
            verdicts = verify(self.means.rules, measured, self.means.options, confirmed)
        except Interruption:
            raise
        except IctusError as error:
            return RepeatedCheck({}, ended=f"the check with all of it in force failed: {' '.join(str(error).split())}")
        dropped, left = blamed(remedies, self.means.before, verdicts), remaining(remedies, verdicts)
        rules = len({(verdict.rule, verdict.place) for verdict in verdicts})
        counted = "1 guideline" if rules == 1 else f"{rules} guidelines"
        head = f"{self.library.label}: checked again with {amount} in force, {counted} in {launches} launches"
        return RepeatedCheck(dropped, f"{head}: {_came_out(dropped, left)}", remaining=left)

    @property
    def _name(self) -> str:
        return f"recheck/{self.draft.name}-of-"

    def _launches(self, least: int, launch_s: float) -> int | None:
        """The number of launches within the budget, up to those that confirm; None where it is too small to decide
        anything. Existing campaigns are continued.
        """
        folder = self.session.folder / self._name
        existing = [path.name.removeprefix(folder.name).split("-")[0] for path in folder.parent.glob(f"{folder.name}*")]
        if existing:
            return max(map(int, existing))
        left_s, most = self.means.until_s - self.session.spent_s(), max(self.means.launches, least)
        return next((count for count in range(most, least - 1, -1) if affordable(count, launch_s, left_s)), None)

    def _measured(self, calls: Mapping[int, Calls], what: str, launches: int) -> GuidelineMedians:
        """The campaigns of all numbers of processes together, as those of the unchanged library."""
        variant, series = self.draft.variant(self.session, self.library), {}
        for n, call_sizes in calls.items():
            request = CampaignRequest(self.library.label, [n], call_sizes, [variant], launches)
            campaign = self.session.campaign(f"{self._name}{launches}{what}-n{n}", request)
            for key, sizes in measured_of(campaign).series.items():
                series[replace(key, configuration=replace(key.configuration, algorithm=DEFAULT))] = sizes
        return GuidelineMedians(series)


def _calls(library: TuningLibrary, rules: Iterable[Rule]) -> dict[int, Calls]:
    """The measured calls of the check in this library, by number of processes."""
    sides = {side for rule in rules for side in rule.sides}
    calls_by_n: dict[int, dict[tuple[Spec, Spec], tuple[int, ...]]] = {}
    for key, series in library.measured.series.items():
        if (
            key.configuration.library == library.label
            and key.configuration.algorithm == DEFAULT
            and (key.operation, key.layout) in sides
        ):
            calls = calls_by_n.setdefault(key.configuration.n, {})
            calls[in_full(key.operation), key.layout] = tuple(size_series.size_bytes for size_series in series)
    return dict(calls_by_n)


def _splits(predicted: Iterable[GuidelineVerdict]) -> dict[int, Calls]:
    """Calls in a row, and the single call, by number of processes."""
    calls_by_n: dict[int, dict[tuple[Spec, Spec], dict[int, None]]] = {}
    for verdict in predicted:
        calls = calls_by_n.setdefault(verdict.place.n, {})
        parts = in_full(repeated(verdict.rule.left, verdict.times))
        calls.setdefault((parts, verdict.rule.layout), {})[verdict.right_size_bytes] = None
        calls.setdefault((in_full(verdict.rule.left), verdict.rule.layout), {})[verdict.size_bytes] = None
    return {n: {key: sorted(sizes) for key, sizes in calls.items()} for n, calls in calls_by_n.items()}


def _came_out(dropped: Blamed, left: Mapping[Remedy, str]) -> str:
    if not dropped and left:
        return f"{next(iter(left.values()))}."
    if not dropped:
        return "the remedied guidelines hold now, and no other guideline is newly violated."
    return f"{len(dropped)} did not come out clean and {'is' if len(dropped) == 1 else 'are'} not written."


def described(dropped: Blamed) -> Iterator[str]:
    """Each that is dropped, in a line."""
    for remedy, (result, reason) in dropped.items():
        where = f"{remedy.cell.operation} of {format_size(remedy.cell.size_bytes)}"
        yield f"{remedy.candidate.name} for {where}: {result.value}, {reason}"
