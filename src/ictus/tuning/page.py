"""The page of a tuning: remedies, before and after in fresh launches, explanations, how to use remedies."""

import math
from collections.abc import Sequence

from ictus.comparison.case_titles import operation_title
from ictus.guidelines.check.explaining import explanation_sentences
from ictus.guidelines.verdict import Configuration
from ictus.model.quantity import format_span
from ictus.model.spec import Spec
from ictus.render.figures.latency import LatencyPoint, LatencySeries, latency_figure
from ictus.render.page import WARNINGS, Fact, Legend, Page, Panel, Section, day, paragraphs, render_page
from ictus.tuning.outcome import Tuning, TuningResult, not_tried, summary
from ictus.tuning.tables import LEGEND, place_text, tune_table

_BEFORE, _AFTER = "as it is", "with the remedy"
_RESULTS = paragraphs("""
    Candidates raced: the library's own algorithms and settings, and what the guideline says is faster. A candidate that
    was significantly slower than the leader left the race. The winner was then measured in fresh launches, with the
    files in force that are written: it is recommended only where it is significantly faster than the call as it is,
    keeps the guidelines that the call breaks, and slows down no other call that it may reach; and where the check, run
    again with all of the files in force, finds none of its violations and no new one.
""")
_FIGURES = paragraphs("""
    Medians over the launches that confirm, for every size at which a remedy was tried. Only confirmed ones are written.
""")
_WHY = paragraphs("""
    A library seldom tells which algorithm it takes. What known algorithms would take follows from latency and bandwidth
    of a ping-pong; which is nearest to what was measured is a hint, and no proof.
""")
_USE = paragraphs("""
    Each file is for the library, the numbers of processes and the sizes that it was confirmed with.
""")


def tune_page(tuning: Tuning, again: str) -> str:
    """The page as HTML."""
    legend = Legend((_BEFORE, _AFTER))
    table = tune_table(tuning.cells)
    tables = (table,) if table.blocks else ()
    missing = [text for text in (not_tried(tuning.cells),) if text]
    use = [f"{file.path}: {file.use}" for file in tuning.files]
    sections = (
        Section("warnings", "Warnings", WARNINGS, items=(*tuning.marks, *tuning.warnings)),
        Section("results", "Results", _RESULTS, tables=tables, items=(*tuning.checked, *missing), note=LEGEND),
        Section("figures", "Before and after", _FIGURES, legend=legend.entries(), panels=panels(tuning.cells, legend)),
        Section("use", "How to use them", _USE, items=(*use, *(f"`{line}`" for line in tuning.recheck))),
        Section(
            "why",
            "Why",
            _WHY,
            items=tuple(" ".join(explanation_sentences(explanation)) for explanation in tuning.explanations),
        ),
        Section("refused", "Refused", ("What the library did not run.",), items=_refused(tuning.cells)),
    )
    page = Page(
        title="Remedies for violated guidelines",
        where=day(tuning.created),
        reproduce_command=again,
        ictus=tuning.ictus,
        question="Asked: which settings or algorithms remove the violations that the check found?",
        lead=_lead(tuning),
        pairs=(),
        facts=(
            *([] if tuning.evidence is None else [Fact("evidence", tuning.evidence.fact)]),
            Fact("check", tuning.check),
            Fact("time in launches", f"{format_span(tuning.spent_s)} of {format_span(tuning.budget_s)}"),
        ),
        sections=tuple(section for section in sections if section.items or section.tables or section.panels),
    )
    return render_page(page)


def _lead(tuning: Tuning) -> str:
    number = len(tuning.explanations)
    if tuning.cells or not number:
        return summary(tuning.cells, tuning.undecided)
    return f"{number} violation{' is' if number == 1 else 's are'} explained; nothing was raced."


def panels(cells: Sequence[TuningResult], legend: Legend) -> tuple[Panel, ...]:
    """A figure for each operation, library and number of processes of which something was confirmed or tried anew."""
    groups: dict[tuple[Spec, Configuration], list[TuningResult]] = {}
    for cell in cells:
        if cell.confirmation is not None and cell.confirmation.before_s and cell.confirmation.after_s:
            groups.setdefault((cell.cell.operation, cell.cell.place), []).append(cell)
    return tuple(
        _panel(operation, configuration, call_results, legend)
        for (operation, configuration), call_results in groups.items()
    )


def _panel(operation: Spec, configuration: Configuration, results: Sequence[TuningResult], legend: Legend) -> Panel:
    ordered = sorted(results, key=lambda tuning_result: tuning_result.cell.size_bytes)
    before, after = [], []
    for tuned in ordered:
        confirmation = tuned.confirmation
        if confirmation is not None and confirmation.before_s and confirmation.after_s:
            before.append(
                LatencyPoint(tuned.cell.size_bytes, confirmation.before_s, confirmation.before_s, confirmation.before_s)
            )
            low = confirmation.before_s * (confirmation.ratio_low if confirmation.ratio_low is not None else math.nan)
            high = confirmation.before_s * (
                confirmation.ratio_high if confirmation.ratio_high is not None else math.nan
            )
            has_interval = math.isfinite(low) and math.isfinite(high)
            limits = (
                (min(low, confirmation.after_s), max(high, confirmation.after_s))
                if has_interval
                else (confirmation.after_s, confirmation.after_s)
            )
            after.append(LatencyPoint(tuned.cell.size_bytes, confirmation.after_s, *limits))
    lines = [
        LatencySeries(name, legend.index(name), tuple(points)) for name, points in ((_BEFORE, before), (_AFTER, after))
    ]
    title, detail = operation_title({"operation": operation}), place_text(configuration)
    return Panel(title, detail, latency_figure(lines, f"Latency before and after, {title}, {detail}"))


def _refused(cells: Sequence[TuningResult]) -> tuple[str, ...]:
    reasons = {(cell.cell.place, name): reason for cell in cells for name, reason in cell.refused.items()}
    return tuple(
        f"{name} ({configuration.library}, n={configuration.n}): {reason}"
        for (configuration, name), reason in reasons.items()
    )
