"""The page of a study: the finding, whether it holds here, by which test, and the paper's figure of these data."""

from ictus.findings.material import Provenance
from ictus.findings.measuring import StudiedFinding
from ictus.findings.rules import LEVEL
from ictus.model.quantity import percent
from ictus.render.page import WARNINGS, Fact, Legend, Page, Section, day, paragraphs, render_page

ABOUT = paragraphs("""
    The experiment of the paper, on this machine, and its figure or table of these data. Whether the finding holds is
    decided by the test that the facts name, not by eye: where the finding is false, at most one study in twenty says
    that it holds.

    “Cannot be seen here” is no “no”: more launches may tell, or another machine.
""")


def study_page(answer: StudiedFinding, provenance: Provenance, again: str) -> str:
    """The page as HTML; `again` makes it once more."""
    finding, result = answer.finding, answer.result
    legend = result.legend or Legend(provenance.labels)
    sections = (
        Section("warnings", "Warnings", WARNINGS, items=answer.warnings),
        Section(
            "data",
            "What was seen",
            (f"Judged by: {finding.rule}.", *ABOUT),
            legend=legend.entries(),
            tables=result.tables,
            panels=result.panels,
        ),
    )
    p_value = "none" if result.ruling.p_value is None else f"{result.ruling.p_value:.2g}"
    return render_page(
        Page(
            title=f"{finding.name}: {answer.seen}",
            where=f"{day(provenance.created)} · {provenance.host}",
            reproduce_command=again,
            ictus=provenance.ictus,
            asked=finding.claim,
            lead=f"{answer.outcome[0].upper()}{answer.outcome[1:]}",
            facts=(
                Fact("source", finding.source),
                Fact("p", p_value),
                Fact("level", percent(LEVEL)),
                Fact("libraries", ", ".join(provenance.labels)),
                Fact("launches", str(provenance.launches)),
                Fact("seed", str(provenance.seed)),
            ),
            sections=tuple(one for one in sections if one.items or one.tables or one.panels),
        )
    )
