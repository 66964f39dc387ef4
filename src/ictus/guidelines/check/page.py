"""The page of a check: the three tables, the cost of violations, and a section for each violated guideline, the most
costly first.

Its figures are after Fig. 2 and 3 of Hunold et al. 2016: both sides of the guideline against the size, violated sizes
shaded and starred, one panel for each configuration.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ictus.comparison.case_titles import brief, processes
from ictus.comparison.verdict_texts import ratio_text
from ictus.guidelines.check.analysis import CheckResult
from ictus.guidelines.check.tables import (
    DOTS,
    KINDS,
    at_size,
    count_table,
    guideline_table,
    instead_text,
    legend,
    loss_table,
    rule_table,
    size_tables,
    sized,
)
from ictus.guidelines.check.words import lead, method_sentence, mode_sentences
from ictus.guidelines.measured import SizeSeries
from ictus.guidelines.rule import Kind, Rule, formula, short
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, RuleLoss, State, by_loss, over_sizes, worst_first
from ictus.model.quantity import format_duration, format_size, percent
from ictus.model.registries import Registries
from ictus.render.figures.latency import LatencyPoint, LatencySeries, ShadedSize, latency_figure, launches_point
from ictus.render.page import WARNINGS, Fact, FoldedRow, Legend, Page, Panel, Section, day, paragraphs, render_page
from ictus.render.table import Table

Explain = Callable[[GuidelineVerdict], Sequence[str]]
"""The known reasons of a violation, in sentences; empty without one."""

_OVERVIEW = paragraphs("""
    A guideline A ≤ B says that A is expected not to be slower than B, which does at least the same. Where it is, the
    library has a better way than the one it takes. A guideline counts as violated once, whatever the number of sizes.

    Monotony: a call must not be slower than itself with more data. Split-robustness: not slower
    than k calls with 1/k of the data.
    Pattern: not slower than other calls that give the same result.
""")
_COSTS = paragraphs("""
    How much longer a call takes than what it is compared with. The sections below are sorted by it. A violation of a
    microsecond in a call that nobody makes costs nothing; look at the sizes that you use.
""")
_HOLDS = paragraphs("""
    The guidelines that no size violates, each with its figures. A guideline that holds was not refuted; that is no
    proof.
""")
_SHADING = "Shaded sizes violate the guideline; stars mark its adjusted p-value (* 0.05, ** 0.01, *** 0.001)."
_OF = {
    Kind.MONOTONY: "Shaded: the next size, with more data, is faster.",
    Kind.SPLIT: "k calls are those of the largest part that is faster by the tolerance, else of the best part. What is "
    "predicted by medians (○) was then measured: k calls in a row as one operation, beside the call.",
    Kind.PATTERN: "Both were measured in the same launches and give the same result.",
}


def check_page(result: CheckResult, again: str, explain: Explain = lambda _: ()) -> str:
    """The page as HTML; `explain` adds the reasons of violations."""
    rules = by_loss(result.verdicts)
    broken = [rule for rule in rules if rule.worst is not None]
    overview: list[Table[Any]] = [count_table(result), guideline_table(result), *size_tables(result)]
    costs = loss_table(result)
    sections = (
        Section("warnings", "Warnings", WARNINGS, items=(*_marked(result), *result.warnings)),
        Section(
            "overview",
            "Overview",
            (*_OVERVIEW, method_sentence(result)),
            tables=tuple(table for table in overview if table.blocks),
            note=legend(result),
        ),
        Section("costs", "Costs", _COSTS, tables=(costs,) if costs.blocks else ()),
        *(_section(result, loss, number, explain) for number, loss in enumerate(broken, 1)),
        Section("kept", "Kept", _HOLDS, folded=_kept(result, rules)),
        Section("out", "Left out", ("Guidelines that do not apply.",), items=result.left_out),
    )
    campaign = result.campaign
    return render_page(
        Page(
            title="Performance guidelines of " + ", ".join(campaign.labels),
            where=f"{day(campaign.created)} · {campaign.machine.get('host', 'unknown host')}",
            reproduce_command=again,
            ictus=campaign.ictus,
            question="Asked: which calls are slower than others that do the same or more?",
            lead=lead(result),
            pairs=(),
            facts=_facts(result),
            sections=tuple(section for section in sections if section.items or section.tables or section.folded),
        )
    )


def _facts(result: CheckResult) -> tuple[Fact, ...]:
    campaign = result.campaign
    return (
        Fact("guidelines", str(len(result.rules))),
        Fact("evidence", result.evidence.fact),
        Fact("launches", f"{result.launches} of each library, both sides in each"),
        Fact("processes", ", ".join(map(str, campaign.plan.processes))),
        Fact("datatype", f"{campaign.plan.datatype}, {campaign.plan.operator}"),
        Fact("start", ", ".join(brief("procsync", text) for text in campaign.plan.procsync)),
        Fact("judged", f"{result.options.test}, {result.options.adjust}, level {percent(result.options.level)}"),
        Fact("seed", str(campaign.seed)),
    )


def _marked(result: CheckResult) -> tuple[str, ...]:
    return tuple(f"{mark[0].upper()}{mark[1:]}." for mark in result.marks)


def _title(rule: Rule) -> str:
    name = short(rule, Registries.load())
    return name if rule.kind is Kind.PATTERN else f"{KINDS[rule.kind]}: {name}"


def _section(result: CheckResult, loss: RuleLoss, number: int, explain: Explain) -> Section:
    """One violated guideline: its sentence, its figures, its rows, its known reasons."""
    rule, worst = loss.rule, loss.worst
    assert worst is not None, "a section is of a violation"
    with_row = [verdict for verdict in loss.verdicts if _has_row(verdict)]
    worst_ones = worst_first(loss.verdicts)
    texts = tuple(
        dict.fromkeys((*mode_sentences(worst_ones), *(text for worst_one in worst_ones for text in explain(worst_one))))
    )
    where = (
        f"at {at_size(worst)} with {result.name(worst.place)}" if sized(worst) else f"with {result.name(worst.place)}"
    )
    about = (
        f"{formula(rule, Registries.load()).replace('<=', '≤')}.",
        f"Loses at most {format_duration(worst.loss_s or 0.0)} a call, {where}. {_OF[rule.kind]}",
    )
    drawn = panels(result, rule, loss.verdicts)
    lines = [label for label, index in zip(LABELS, range(len(LABELS)), strict=True) if index in _drawn(rule.kind)]
    return Section(
        anchor=f"guideline-{number}",
        title=_title(worst.rule),
        about=about,
        legend=Legend(LABELS).entries(lines) if drawn else (),
        items=texts,
        tables=(rule_table(result, "Violated sizes", with_row),),
        panels=drawn,
        note=_SHADING if drawn else "",
    )


def _has_row(verdict: GuidelineVerdict) -> bool:
    """Whether it has a row in its section: violated, predicted, or predicted and refuted."""
    return verdict.state in (State.VIOLATED, State.PREDICTED, State.REFUTED)


def _drawn(kind: Kind) -> tuple[int, ...]:
    return {Kind.MONOTONY: (0,), Kind.SPLIT: (0, 2)}.get(kind, (0, 1))


def _kept(result: CheckResult, rules: Sequence[RuleLoss]) -> tuple[FoldedRow, ...]:
    """A row for each guideline without a violation, with its figures and the case nearest to a violation."""
    registries = Registries.load()
    return tuple(
        FoldedRow(
            _title(rule.rule),
            f"{rule.rule.name}, {_standing(rule)}",
            formula(rule.rule, registries).replace("<=", "≤"),
            (rule_table(result, "Sizes", rule.verdicts),),
            panels(result, rule.rule, rule.verdicts),
        )
        for rule in rules
        if rule.worst is None
    )


def _standing(loss: RuleLoss) -> str:
    """`holds`, `cannot be decided`; with the ratio that is nearest to a violation."""
    state = over_sizes(verdict.state for verdict in loss.verdicts)
    state_text = {State.HOLDS: "holds", State.CANNOT_DECIDE: "cannot be decided"}.get(state, "no data")
    ratios = [verdict.ratio for verdict in loss.verdicts if verdict.ratio is not None]
    return f"{state_text}, ratio at most {ratio_text(max(ratios))}" if ratios else state_text


CALL, INSTEAD, PARTS = "call", "instead", "k calls"
LABELS = (CALL, INSTEAD, PARTS)
"""The lines of the figures, in the order of their colours."""
_SHADED = (State.VIOLATED, State.PREDICTED)


def panels(result: CheckResult, rule: Rule, verdicts: Sequence[GuidelineVerdict]) -> tuple[Panel, ...]:
    """The figures of one guideline; none without a valid sample, and for a call without a size."""
    made = []
    for configuration in result.places:
        here = [verdict for verdict in verdicts if verdict.place == configuration]
        lines = _lines(result, rule, configuration, here)
        if here and sized(here[0]) and any(not math.isnan(point.median_s) for line in lines for point in line.points):
            label = f"{formula(rule, Registries.load())}, {result.name(configuration)}"
            svg = latency_figure(lines, label, tuple(_shaded(verdict) for verdict in here if verdict.state in _SHADED))
            made.append(Panel(result.name(configuration), processes(configuration.n), svg))
    return tuple(made)


def _lines(
    result: CheckResult, rule: Rule, configuration: Configuration, verdicts: Sequence[GuidelineVerdict]
) -> list[LatencySeries]:
    """The call, and what it is compared with: of monotony the call itself, of a split k calls."""
    call = LatencySeries(CALL, 0, _points(result.measured.sizes(configuration, rule.left, rule.layout)))
    if rule.kind is Kind.MONOTONY:
        return [call]
    if rule.kind is Kind.SPLIT:
        points = tuple(_split_point(verdict) for verdict in verdicts)
        return [call, LatencySeries(PARTS, 2, points)] if points else [call]
    return [
        call,
        LatencySeries(INSTEAD, 1, _points(result.measured.sizes(configuration, rule.right, rule.right_layout))),
    ]


def _points(series: Iterable[SizeSeries]) -> tuple[LatencyPoint, ...]:
    return tuple(
        launches_point(size_series.size_bytes, tuple(size_series.medians_s.values())) for size_series in series
    )


def _split_point(verdict: GuidelineVerdict) -> LatencyPoint:
    """The k calls that are best, at the size that they stand for: measured, or k times their median."""
    time = math.nan if verdict.right_s is None else verdict.right_s
    return LatencyPoint(verdict.size_bytes, time, time, time)


def _shaded(verdict: GuidelineVerdict) -> ShadedSize:
    mark = "*" * len(verdict.stars) or DOTS[verdict.state]
    ratio, loss = ratio_text(verdict.ratio), format_duration(verdict.loss_s or 0.0)
    what = "predicted" if verdict.state is State.PREDICTED else "violated"
    tip = f"{format_size(verdict.size_bytes)}: {what}, {ratio} times as long as {instead_text(verdict)}, {loss} a call"
    return ShadedSize(verdict.size_bytes, mark, tip)
