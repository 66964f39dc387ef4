"""The page of advice: what to do, its proof in the program, the calls that matter, what was left aside."""

from ictus.advice.outcome import (
    Advice,
    aside_sentence,
    call_row,
    evidence_sentence,
    headline,
    remedy_row,
    sentences,
    to_do,
)
from ictus.advice.tables import advice_table, proof_table
from ictus.model.quantity import format_duration, format_span
from ictus.render.page import WARNINGS, Fact, Page, Section, day, paragraphs, render_page

_TO_DO = paragraphs("""
    What makes the program faster, without touching it. Each remedy was tried alone; of several together nothing is
    known.
""")
_PROOF = paragraphs("""
    The program was launched in pairs, once with the remedy in force and once as it is, in random order, after a pair
    that does not count. The run time is from the start of a launch to its end.
""")
_NOT_TRIED = paragraphs("""
    No pair of launches was made in which a remedy was in force: nothing is proven in the program itself.
""")
_CALLS = paragraphs("""
    Each call that takes a large enough share of the time was checked with the program's own size, number of processes,
    datatype and operator; where a guideline is violated, remedies raced, and the winner was confirmed by itself. No
    library can shorten the waiting for late processes, so the rest of the share had to be large enough.
""")
_ASIDE = paragraphs("""
    Calls that take as much time, and for which Ictus has no advice.
""")


def advice_page(advice: Advice, again: str) -> str:
    """The page as HTML."""
    calls, remedies = [call_row(call) for call in advice.calls], [remedy_row(remedy) for remedy in advice.remedies]
    aside = tuple(map(aside_sentence, advice.costly.aside))
    sections = (
        Section("warnings", "Warnings", WARNINGS, items=advice.warnings),
        Section("to-do", "What to do", _TO_DO, items=to_do(advice)),
        Section(
            "proof",
            "In the program",
            _PROOF if remedies else _NOT_TRIED,
            tables=(proof_table(remedies),) if remedies else (),
            items=tuple(sentences(advice)),
        ),
        Section("calls", "Calls that matter", _CALLS, tables=(advice_table(calls),) if calls else ()),
        Section("aside", "Left aside", _ASIDE, items=aside),
    )
    page = Page(
        title="Advice for a program",
        where=day(advice.created),
        reproduce_command=again,
        ictus=advice.ictus,
        question="Asked: what makes this program faster, without touching it?",
        lead=headline(advice),
        facts=(
            Fact("evidence", evidence_sentence(advice).removeprefix("Evidence: ").rstrip(".")),
            Fact("program", advice.program),
            Fact("library", advice.library),
            Fact("processes", str(advice.n)),
            Fact("profiled run", format_duration(advice.elapsed_s)),
            Fact("time in launches", f"{format_span(advice.spent_s)} of {format_span(advice.budget_s)}"),
        ),
        sections=tuple(section for section in sections if section.items or section.tables),
    )
    return render_page(page)
