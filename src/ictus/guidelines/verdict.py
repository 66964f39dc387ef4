"""The verdict on one guideline at one size in one library, and summaries of verdicts.

The tables are the paper's: counts (2), guideline by library (3), guideline by message size (4), and by loss. A
guideline counts as violated once, for any number of sizes; predicted but unmeasured violations of split-robustness are
counted separately. A measurement that refutes a prediction wins.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from ictus.guidelines.rule import Kind, Rule
from ictus.stats.verdict import stars


class State(str, Enum):
    """The state of a guideline by the launches."""

    HOLDS = "holds"
    """Not significantly slower."""
    VIOLATED = "violated"
    """Significantly slower, after adjustment over the campaign."""
    PREDICTED = "predicted"
    """Split-robustness: the medians say so, and it was not measured (yet)."""
    REFUTED = "refuted"
    """Split-robustness: predicted, and k calls in a row were not significantly faster."""
    CANNOT_DECIDE = "cannot-decide"
    """Too few launches: no data could pass the adjusted level."""
    NOT_COMPARABLE = "not-comparable"
    """A side has no valid data."""


@dataclass(frozen=True)
class Configuration:
    """The configuration in which a guideline is checked."""

    library: str
    """Its label."""
    algorithm: str
    """Name of the library's variant (model/algorithm.py)."""
    n: int
    """Number of processes."""


@dataclass(frozen=True)
class ModeVerdict:
    """A guideline at one size in one mode of the machine, where the ratio depends on the mode."""

    mode: int
    """From 1, the cores nearest first."""
    name: str
    """`cores 27 ns apart`."""
    n_launches: int
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    p_adjusted: float | None
    """In the family of all verdicts."""
    state: State


@dataclass(frozen=True)
class GuidelineVerdict:
    """One row. Times in seconds, medians over launches of the launches' medians; None where there is no data."""

    rule: Rule
    place: Configuration
    size_bytes: int
    """The left side's total volume n."""
    right_size_bytes: int
    """The right side's size: the next size (monotony), the part (split-robustness), else the same."""
    times: int
    """How often the right side is called: k of split-robustness, else 1."""
    left_s: float | None
    right_s: float | None
    """Time of all its calls together."""
    ratio: float | None
    """Left to right; above 1 the guideline is not kept."""
    ratio_low: float | None
    ratio_high: float | None
    n_launches: int
    p_value: float | None
    """One-sided: that the left side is slower."""
    p_adjusted: float | None
    state: State
    confirmed: bool = False
    """For split-robustness: k calls in a row were measured (`violated` or `refuted`), not only predicted."""
    reason: str = ""
    """Why it cannot be decided or compared."""
    difference_s: float | None = None
    """How much longer the left side takes, over launches (Hodges and Lehmann); None without a test."""
    difference_low_s: float | None = None
    difference_high_s: float | None = None
    by_mode: tuple[ModeVerdict, ...] = ()
    """Where the ratio depends on the mode of the machine. Violated in one of them is violated."""
    """Its interval at the level, not adjusted, as that of the ratio; None where so few launches have none."""

    @property
    def stars(self) -> str:
        """The mark of the adjusted p-value of a measured violation, as `ictus compare` marks what differs; where modes
        are judged alone, of the mode that shows it most clearly.
        """
        modes = [verdict.p_adjusted for verdict in self.by_mode if verdict.state is State.VIOLATED]
        p_values = [p_value for p_value in (modes or [self.p_adjusted]) if p_value is not None]
        return stars(min(p_values, default=None)) if self.state is State.VIOLATED else ""

    @property
    def loss_s(self) -> float | None:
        """How much longer the call takes than its right side; 0 where it does not."""
        if self.left_s is None or self.right_s is None:
            return None
        return max(0.0, self.left_s - self.right_s if self.difference_s is None else self.difference_s)

    @property
    def kind(self) -> Kind:
        """The kind of its rule."""
        return self.rule.kind


_STRONGEST = (State.VIOLATED, State.PREDICTED, State.CANNOT_DECIDE, State.HOLDS, State.NOT_COMPARABLE)
"""The first of these states that any size has is the state of all sizes: one violated size violates the guideline, and
where one size cannot be decided the guideline is not said to hold."""


@dataclass(frozen=True)
class Count:
    """Counts of the guidelines of one kind in one configuration."""

    violated: int
    predicted: int
    """Split-robustness by the medians alone."""
    undecided: int
    """Not violated, but with sizes that so few launches can never decide."""
    checked: int
    """All that have data."""


@dataclass(frozen=True)
class CountRow:
    """A row of the paper's Table 2."""

    n: int
    kind: Kind
    counts: Mapping[Configuration, Count]
    """By place; all of the row's places have n processes."""


@dataclass(frozen=True)
class GuidelineRow:
    """A row of the paper's Table 3."""

    rule: Rule
    states: Mapping[Configuration, State]
    """A configuration without this rule is absent."""


@dataclass(frozen=True)
class SizeRow:
    """A row of the paper's Table 4."""

    rule: Rule
    states: Mapping[int, State]
    """By size in bytes, of the left side; an unmeasured size is absent."""


@dataclass(frozen=True)
class SizeTable:
    """The paper's Table 4."""

    configuration: Configuration
    sizes: tuple[int, ...]
    rows: tuple[SizeRow, ...]


@dataclass(frozen=True)
class RuleLoss:
    """A guideline with what violating it costs most."""

    verdicts: tuple[GuidelineVerdict, ...]
    """The verdicts of all configurations and sizes."""

    @property
    def rule(self) -> Rule:
        """The rule of all its verdicts."""
        return self.verdicts[0].rule

    @cached_property
    def worst(self) -> GuidelineVerdict | None:
        """The violation, else the prediction, that loses the most; None where there is neither."""
        return next(iter(worst_first(self.verdicts)), None)


def settled(state: State) -> State:
    """The shown state: a refuted prediction is a guideline that holds."""
    return State.HOLDS if state is State.REFUTED else state


def over_sizes(states: Iterable[State]) -> State:
    """The combined state; `ValueError` for none."""
    return min(map(settled, states), key=_STRONGEST.index)


def counts(verdicts: Sequence[GuidelineVerdict]) -> tuple[CountRow, ...]:
    """Table 2: for each number of processes and kind, how many guidelines are violated in each place."""
    places = places_of(verdicts)
    rows = []
    for n in sorted({configuration.n for configuration in places}):
        for kind in Kind:
            of_kind = [verdict for verdict in verdicts if verdict.kind is kind and verdict.place.n == n]
            if of_kind:
                by_place = {
                    configuration: _count([v for v in of_kind if v.place == configuration])
                    for configuration in places
                    if configuration.n == n
                }
                rows.append(CountRow(n, kind, by_place))
    return tuple(rows)


def by_place(verdicts: Sequence[GuidelineVerdict], kinds: Sequence[Kind] = (Kind.PATTERN,)) -> tuple[GuidelineRow, ...]:
    """Table 3: each guideline in each place."""
    rows = []
    for rule, of_rule in _by_rule([verdict for verdict in verdicts if verdict.kind in kinds]).items():
        states: dict[Configuration, list[State]] = {}
        for verdict in of_rule:
            states.setdefault(verdict.place, []).append(verdict.state)
        rows.append(
            GuidelineRow(
                rule, {configuration: over_sizes(size_states) for configuration, size_states in states.items()}
            )
        )
    return tuple(rows)


def by_size(
    verdicts: Sequence[GuidelineVerdict], configuration: Configuration, *, violated_only: bool = True
) -> SizeTable:
    """Table 4: each guideline at each size, in one place; as in the paper only those that have a violation."""
    of_configuration = [verdict for verdict in verdicts if verdict.place == configuration]
    sizes = tuple(sorted({verdict.size_bytes for verdict in of_configuration}))
    rows = (
        SizeRow(rule, {v.size_bytes: settled(v.state) for v in of_rule})
        for rule, of_rule in _by_rule(of_configuration).items()
    )
    marked = {State.VIOLATED, State.PREDICTED}
    return SizeTable(
        configuration, sizes, tuple(r for r in rows if not violated_only or marked & set(r.states.values()))
    )


def worst_first(verdicts: Iterable[GuidelineVerdict]) -> tuple[GuidelineVerdict, ...]:
    """The violations by their loss, the largest first; then the predictions likewise."""
    broken = [verdict for verdict in verdicts if verdict.state in (State.VIOLATED, State.PREDICTED)]
    return tuple(sorted(broken, key=lambda verdict: (verdict.state is State.PREDICTED, -(verdict.loss_s or 0.0))))


def by_loss(verdicts: Iterable[GuidelineVerdict]) -> tuple[RuleLoss, ...]:
    """The guidelines, the one whose violation loses the most first; those without a violation at the end."""
    rules = [RuleLoss(tuple(of_rule)) for of_rule in _by_rule(verdicts).values()]
    order = {verdict: number for number, verdict in enumerate(worst_first(v for r in rules for v in r.verdicts))}
    return tuple(sorted(rules, key=lambda rule: len(order) if rule.worst is None else order[rule.worst]))


def states_of(verdicts: Iterable[GuidelineVerdict]) -> list[State]:
    """The state of each guideline in each place, over its sizes: what sentences count."""
    return [state for row in by_place(tuple(verdicts), tuple(Kind)) for state in row.states.values()]


def places_of(verdicts: Iterable[GuidelineVerdict]) -> tuple[Configuration, ...]:
    """All places, in their order."""
    return tuple(dict.fromkeys(verdict.place for verdict in verdicts))


def _count(verdicts: Sequence[GuidelineVerdict]) -> Count:
    states = [over_sizes(verdict.state for verdict in of_rule) for of_rule in _by_rule(verdicts).values()]
    return Count(
        violated=states.count(State.VIOLATED),
        predicted=states.count(State.PREDICTED),
        undecided=states.count(State.CANNOT_DECIDE),
        checked=len(states) - states.count(State.NOT_COMPARABLE),
    )


def _by_rule(verdicts: Iterable[GuidelineVerdict]) -> dict[Rule, list[GuidelineVerdict]]:
    verdicts_by_rule: dict[Rule, list[GuidelineVerdict]] = {}
    for verdict in verdicts:
        verdicts_by_rule.setdefault(verdict.rule, []).append(verdict)
    return verdicts_by_rule
