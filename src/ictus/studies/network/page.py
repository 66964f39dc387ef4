"""The page of the network: one self-contained HTML file. The same network.json gives the same bytes."""

from ictus.render.page import Fact, Page, Panel, Section, day, paragraphs, render_page
from ictus.studies.clocks.page import WARNINGS, setting_section
from ictus.studies.clocks.setting import setting_text
from ictus.studies.network.analysis import NetworkSummary
from ictus.studies.network.figures import link_panels, noise_panel
from ictus.studies.network.record import NetworkStudy
from ictus.studies.network.tables import (
    bisection_table,
    loggp_table,
    network_sentences,
    noise_table,
    size_table,
    warnings_of,
)

LINKS = paragraphs("""
    A message of s bytes takes L + 2 o + (s-1) G: the network's latency L, the overhead o of a processor at each end,
    and a gap G for every further byte. Between two messages lies the gap g at least. They follow from round trips of
    trains of messages, of which only the last is answered (Hoefler, Lichei, Rehm 2007). Where a library changes its
    protocol, the gaps follow another line, with parameters of its own. In a library that copies the message, o holds
    the copy, and L what is left of the way.
""")
BISECTION = paragraphs("""
    Half of the ranks, drawn at random, send streams to the other half, all at once; the mean bandwidth of a pair is the
    effective bisection bandwidth (Hoefler, Schneider, Lumsdaine 2008). Alone is the same stream while all others are
    silent. Where the share is small, times of large messages depend on where ranks are and on who else sends.
""")
NOISE = paragraphs("""
    All ranks do one fixed piece of work again and again. The least time is the core's own; what is longer was taken by
    the operating system, by others, or by a lower frequency. A collective waits for the last rank: with many ranks even
    rare stops are in every call.
""")


def network_page(study: NetworkStudy, summary: NetworkSummary, again: str) -> tuple[str, tuple[Panel, ...]]:
    """The page as HTML and all of its panels."""
    trips = link_panels(summary.links)
    noise = (noise_panel(summary.noise),) if summary.noise else ()
    warnings = warnings_of(study, summary)
    links = (
        *((loggp_table(summary.links),) if any(one.lines for one in summary.links) else ()),
        *(size_table(link) for link in summary.links),
    )
    sections = (
        Section("warnings", "Warnings", WARNINGS, items=warnings),
        Section("links", "Links", LINKS, tables=links, panels=trips),
        Section("bisection", "Bisection", BISECTION, tables=(bisection_table(summary.bisection),)),
        Section("noise", "Noise", NOISE, tables=(noise_table(summary.noise),), panels=noise),
        setting_section(study.settings),
    )
    shows = {
        "warnings": bool(warnings),
        "links": bool(summary.links),
        "bisection": bool(summary.bisection),
        "noise": bool(summary.noise),
    }
    page = Page(
        title="What the machine is",
        where=f"{day(study.document.created or 'unknown')} · {study.settings[0].hosts[0]}",
        reproduce_command=again,
        ictus=study.document.ictus,
        lead=" ".join(network_sentences(summary)),
        pairs=(),
        facts=(Fact("ran on", setting_text(study.settings)), Fact("launches", str(len(study.launches)))),
        sections=tuple(one for one in sections if shows.get(one.anchor, True)),
    )
    return render_page(page), (*trips, *noise)
