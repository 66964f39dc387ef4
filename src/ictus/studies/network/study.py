"""The network, and the noise of ranks: launches that are all alike, one after the other."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ictus.model.errors import OptionError
from ictus.model.plan_options import BY_KEY
from ictus.render.page import Fact, Section, paragraphs
from ictus.render.table import Table, records
from ictus.studies.core_material import CoreMaterial
from ictus.studies.core_options import core_option
from ictus.studies.material import StudyAnswer
from ictus.studies.network.analysis import NetworkSummary, summarise
from ictus.studies.network.figures import link_panels, noise_panel
from ictus.studies.network.record import NetworkDocument
from ictus.studies.network.tables import (
    BISECTION_COLUMNS,
    COLUMNS,
    NOISE_COLUMNS,
    bisection_table,
    lines_of,
    loggp_table,
    network_sentences,
    noise_table,
    size_table,
    warnings_of,
)
from ictus.studies.study import Study

_LINKS = paragraphs("""
    A message of s bytes takes L + 2 o + (s-1) G: the network's latency L, the overhead o of a processor at each end,
    and a gap G for every further byte. At least the gap g lies between two messages. They follow from round trips of
    trains of messages, of which only the last is answered (Hoefler, Lichei, Rehm 2007). Where a library changes its
    protocol, the gaps follow another line, with parameters of its own. If a library copies the message, o includes
    the copy and L the rest of the way.
""")
_BISECTION = paragraphs("""
    Half of the hosts, drawn at random, send streams to the other half, all at once, from each rank to one; the mean
    bandwidth of a pair is the effective bisection bandwidth (Hoefler, Schneider, Lumsdaine 2008). Inside hosts half of
    the ranks send to the other half in the same way, at another time. Alone is a pair of each matching while all
    others are silent. Where the share is small, times of large messages depend on where ranks are and on who else
    sends.
""")
_NOISE = paragraphs("""
    All ranks do one fixed piece of work again and again. The shortest time is the core's own; anything longer was taken
    by the operating system, by others, or by a lower frequency. A collective waits for the last rank: with many ranks
    even rare stops delay every call.
""")


def check(*, sizes: Sequence[int], stream_size: int, **_: object) -> None:
    """UsageError for messages without a byte."""
    if min(sizes) < 1:
        raise OptionError(("sizes", min(sizes), "a message of a train has 1 byte or more"))
    if stream_size < 1:
        raise OptionError(("stream-size", stream_size, "a message has 1 byte or more"))


def answer(study: NetworkDocument, summary: NetworkSummary) -> StudyAnswer:
    """Links, bandwidth under load, noise."""
    bisection = [bisection_table(summary.bisection)] if summary.bisection else []
    noise = [noise_table(summary.noise)] if summary.noise else []
    parameters: list[Table[Any]] = (
        [loggp_table(summary.links)] if any(link_summary.lines for link_summary in summary.links) else []
    )
    tables = [*parameters, *(size_table(link) for link in summary.links if not link.lines)]

    def sections() -> list[Section]:
        by_size = (*parameters, *(size_table(link) for link in summary.links))
        panels = (noise_panel(summary.noise),) if noise else ()
        return [
            Section("links", "Links", _LINKS, tables=by_size, panels=link_panels(summary.links)),
            Section("bisection", "Bisection", _BISECTION, tables=tuple(bisection)),
            Section("noise", "Noise", _NOISE, tables=tuple(noise), panels=panels),
        ]

    return StudyAnswer(
        sentences=network_sentences(summary),
        rows=records(lines_of(summary.links), COLUMNS),
        tables=(*tables, *bisection, *noise),
        sections=sections,
        warnings=warnings_of(study, summary),
        facts=(Fact("launches", str(len(study.launches))),),
        extra_keys={
            "bisection": records(summary.bisection, BISECTION_COLUMNS),
            "noise": records(summary.noise, NOISE_COLUMNS),
        },
    )


STUDY = Study(
    name="network",
    about="""
    LogGP parameters inside hosts and between them, effective bisection bandwidth by random matchings, and the time that
    the operating system takes from each rank. It is useful to run it before libraries are compared.
    """,
    title="What the machine is",
    schema="ictus.network/1",
    material=CoreMaterial[NetworkDocument](
        document=NetworkDocument,
        study="network",
        core="network state",
        without=("clock-domain",),
        least_processes=2,
    ),
    options=(
        replace(BY_KEY["launches"], help="Intervals are over launches.", default_text="5"),
        core_option("network state", "sizes", help="Messages of trains, 4 or more for LogGP: 8..64Ki, 8,100,4Ki."),
        core_option("network state", "train", help="Messages of a train."),
        core_option("network state", "repeats", help="Repetitions of every measurement."),
        core_option("network state", "links", help="Pairs of ranks at most of each distance."),
        core_option(
            "network state",
            "matchings",
            help="Random halves of the hosts, and of ranks inside, that send to the rest.",
        ),
        core_option("network state", "stream-size", metavar="BYTES", help="A message of a matching's streams."),
        core_option(
            "network state",
            "quantum",
            kind="brief",
            help="Length of the work whose time shows noise; at most 1s.",
        ),
        core_option("network state", "quanta", help="How often each rank does it; 0: noise is not measured."),
    ),
    check=check,
    analyse=summarise,
    answer=answer,
)
