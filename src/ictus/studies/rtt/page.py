"""The page of round trips: one self-contained HTML file. The same rtt.json gives the same bytes."""

from collections.abc import Sequence

from ictus.render.figures.clock_errors import Departure, departure_figure
from ictus.render.figures.distributions import Mark, histogram_figure
from ictus.render.page import Fact, Page, Panel, Section, day, paragraphs, render_page
from ictus.stats.histograms import histogram
from ictus.studies.clocks.page import setting_section
from ictus.studies.clocks.setting import setting_text
from ictus.studies.rtt.analysis import PairSummary
from ictus.studies.rtt.record import RoundTripStudy
from ictus.studies.rtt.tables import pair_name, quality_table, round_trip_table, rtt_sentence, shown

TRIPS = paragraphs("""
    How long a message and its answer take, without the time that the answering rank spends between. Lines mark the
    median and the 99 % quantile. Delays crowd at a least value, and a few are much longer: the skewness of exponential
    delays is 2.
""")
OFFSETS = paragraphs("""
    Each exchange shows an offset of the two clocks that is wrong by half its round trip at most; the quickest one is
    taken. The figure shows what the first N exchanges prove of it, against the time that they take.
""")


def rtt_page(study: RoundTripStudy, pairs: Sequence[PairSummary], again: str) -> tuple[str, tuple[Panel, ...]]:
    """The page as HTML and all of its panels."""
    trips, offsets = trip_panels(study, pairs), _offset_panels(pairs)
    tables = tuple(quality_table(one) for one in shown(pairs))
    sections = (
        Section("trips", "Round trips", TRIPS, tables=(round_trip_table(pairs),), panels=trips),
        Section("offsets", "Offsets against exchanges", OFFSETS, tables=tables, panels=offsets),
        setting_section((study.setting,)),
    )
    page = Page(
        title="How long round trips take",
        where=f"{day(study.document.created or 'unknown')} · {study.setting.hosts[0]}",
        reproduce_command=again,
        ictus=study.document.ictus,
        lead=rtt_sentence(pairs),
        pairs=(),
        facts=(Fact("ran on", setting_text((study.setting,))), Fact("pairs", str(len(pairs)))),
        sections=sections,
    )
    return render_page(page), (*trips, *offsets)


def trip_panels(study: RoundTripStudy, pairs: Sequence[PairSummary]) -> tuple[Panel, ...]:
    """How long round trips of each pair took."""
    measured = {(one.client, one.reference): one for one in study.pairs}
    panels = []
    for index, one in enumerate(shown(pairs)):
        rtt = measured[one.client, one.reference].rtt_s
        inside = rtt[rtt <= one.p99_s]
        marks = (Mark("median", one.median_s), Mark("99 % quantile", one.p99_s, dashed=True))
        svg = histogram_figure(
            histogram(inside), None, marks, index=index, what="exchanges", label=f"Ranks {pair_name(one)}",
            x_label="round trip",
        )  # fmt: skip
        panels.append(Panel(f"Ranks {pair_name(one)}", "99 % of all exchanges", svg))
    return tuple(panels)


def _offset_panels(pairs: Sequence[PairSummary]) -> tuple[Panel, ...]:
    lines = tuple(
        Departure(pair_name(one), index, tuple((each.cost_s, each.bound_s) for each in one.quality))
        for index, one in enumerate(shown(pairs))
    )
    svg = departure_figure(lines, "Proven bound of an offset against its cost", "time of the exchanges", "proven bound")
    return (Panel("What a bound costs", "half the least round trip so far", svg),)
