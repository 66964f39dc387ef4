"""The page of a study of exit skew, with the meaning of each part in words: one self-contained HTML file. The same
skew.json gives the same bytes.
"""

from collections.abc import Sequence

from ictus.render.figures.scheme import MOST_LINES
from ictus.render.page import Fact, Page, Panel, Section, day, paragraphs, render_page
from ictus.studies.clocks import page as clock_prose
from ictus.studies.clocks.page import setting_section
from ictus.studies.clocks.setting import setting_text
from ictus.studies.exit_skew.analysis import StartSummary
from ictus.studies.exit_skew.figures import MOST_RANKS, bar_panels, exit_panels, legend_of, scaling_panels
from ictus.studies.exit_skew.record import SkewStudy
from ictus.studies.exit_skew.tables import remark, skew_sentences, skew_table, start_label, warnings_of

SKEW = paragraphs("""
    All ranks enter at one instant of the global clock, so that what they leave with is the start's own and not the
    pattern in which they came. The skew of a repetition is the last exit minus the first; bars are medians over
    launches of each launch's median, as in table, order and headline; the thin line reaches to the 95th percentile. A
    ring is the true median, told by the counter that all ranks read. Barriers go by the names of their algorithms;
    library is MPI_Barrier.

    A barrier promises that nobody leaves before all have entered. It promises nothing of leaving together. Starts that
    wait for an instant are as good as the clocks that they wait by.
""")

EXITS = paragraphs("""
    When each rank leaves, after the first one to leave: means with 95 % intervals. This is the pattern with which the
    next operation would begin, if the ranks called it now.
""")

SCALING = paragraphs("""
    What becomes of the skew with more processes: a barrier's grows with its rounds or its ranks, that of starts on a
    common clock with the clock's error.
""")

WINDOW = paragraphs("""
    A window that is too short is missed by ranks that are still in the call before: the sample is invalid, marked late
    or long. A window that is too long wastes time in which clocks drift and others disturb. Lines are medians over
    launches, bands their 95 % interval.
""")

TIMES = paragraphs("""
    The same samples reduced in two ways. Local: the longest duration on any rank's own clock, which does not know when
    the others began. Global: from the first start to the last end, the makespan. Where the start leaves ranks apart,
    the one counts that skew and the other does not.
""")


def skew_page(study: SkewStudy, summaries: Sequence[StartSummary], again: str) -> tuple[str, tuple[Panel, ...]]:
    """The page as HTML and all of its panels."""
    legend = legend_of(summaries)
    several = len(legend.labels) > MOST_LINES
    entries = () if several else legend.entries()
    grey = "Grey: the other starts; the pointer names them." if several else ""
    bars, exits, over = (make(summaries, legend) for make in (bar_panels, exit_panels, scaling_panels))
    notes = (remark(summaries), *warnings_of(study, summaries))
    most = max(one.n_ranks for one in summaries)
    thinned = f"Of {most} ranks every {-(-most // MOST_RANKS)}th is drawn." if most > MOST_RANKS else ""
    sections = (
        Section("warnings", "Warnings", clock_prose.WARNINGS, items=notes),
        Section("skew", "Exit skew", SKEW, tables=(skew_table(summaries),), panels=bars),
        Section(
            "exits", "Exits by rank", EXITS, legend=entries, panels=exits, note=" ".join(filter(None, (thinned, grey)))
        ),
        Section("processes", "Over processes", SCALING, legend=entries, panels=over, note=grey),
        setting_section(study.settings),
    )
    page = Page(
        title="How far apart ranks leave",
        where=f"{day(study.document.created or 'unknown')} · {_where(study)}",
        reproduce_command=again,
        ictus=study.document.ictus,
        lead=" ".join(skew_sentences(summaries)),
        pairs=(),
        facts=tuple(_facts(study)),
        sections=tuple(one for one in sections if one.items or one.tables or one.panels or one.groups),
    )
    return render_page(page), (*bars, *exits, *over)


def _where(study: SkewStudy) -> str:
    first = study.settings[0]
    return "simulated" if first.simulated else first.hosts[0]


def _facts(study: SkewStudy) -> list[Fact]:
    return [
        Fact("ran on", setting_text(study.settings)),
        Fact("launches", str(len(study.launches))),
        Fact("entered by", ", ".join(dict.fromkeys(start_label(one.entry) for one in study.launches))),
        Fact("seed", ", ".join(dict.fromkeys(str(one.seed) for one in study.settings))),
    ]
