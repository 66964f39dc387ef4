"""The page of a claim: the claim, whether it holds here, by which test, and the paper's figure of these data."""

from ictus.model.quantity import percent
from ictus.render.page import WARNINGS, Fact, Legend, Page, Section, day, paragraphs, render_page
from ictus.stats.claim_rules import LEVEL
from ictus.studies.judging import ClaimVerdict
from ictus.studies.material import Provenance

ABOUT = paragraphs("""
    The experiment of the paper, on this machine, and its figure or table of these data. Whether the claim holds is
    decided by the test that is named, not by eye: where the claim is false, at most one study in twenty says that it
    holds; where it is as large as the least effect that matters, at most one in twenty says that it does not.

    “Cannot be seen here” is no “no”: more launches may tell, or another machine.
""")


def claim_page(verdict: ClaimVerdict, provenance: Provenance, again: str) -> str:
    """The page as HTML; `again` makes it once more."""
    claim, result = verdict.claim, verdict.result
    legend = result.legend or Legend(provenance.labels)
    theirs = (f"In the paper: {claim.in_the_paper}",) if claim.in_the_paper else ()
    sections = (
        Section("warnings", "Warnings", WARNINGS, items=verdict.warnings),
        Section(
            "data",
            "What was seen",
            (f"Judged by: {claim.rule}.", *theirs, *ABOUT),
            legend=legend.entries(),
            tables=result.tables,
            panels=result.panels,
        ),
    )
    tested, drawn = result.ruling.decisive_p, provenance.seed
    test = [] if tested is None else [Fact("p", f"{tested:.2g}"), Fact("level", percent(LEVEL))]
    return render_page(
        Page(
            title=f"{claim.name}: {verdict.seen}",
            where=f"{day(provenance.created)} · {provenance.host}",
            reproduce_command=again,
            ictus=provenance.ictus,
            question=claim.sentence,
            lead=f"{verdict.outcome[0].upper()}{verdict.outcome[1:]}",
            facts=(
                Fact("source", claim.source),
                *test,
                Fact("least effect", "none" if claim.least_percent is None else f"{claim.least_percent:g} %"),
                Fact("libraries", ", ".join(provenance.labels)),
                Fact("launches", str(provenance.launches)),
                *([] if drawn is None else [Fact("seed", str(drawn))]),
            ),
            sections=tuple(section for section in sections if section.items or section.tables or section.panels),
        )
    )
