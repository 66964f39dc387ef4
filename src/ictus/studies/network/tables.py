"""Tables and sentences of the network: parameters of links, bandwidth in matchings, noise of ranks."""

from collections.abc import Sequence

from ictus.model.quantity import format_duration, format_size
from ictus.render.table import NONE, Block, Cell, Column, Table, Times, row_columns
from ictus.render.unit import three_digits
from ictus.stats.mean import MeanInterval
from ictus.studies.network.analysis import (
    BETWEEN,
    BisectionSummary,
    LinkSummary,
    NetworkSummary,
    NoiseSummary,
    SizeTimes,
)
from ictus.studies.network.loggp import LogGP
from ictus.studies.network.record import NetworkDocument

COLUMNS = row_columns(
    """
    from=0.sender to=0.receiver 0.hosts 0.kind 0.launches round_trip_s=0.smallest.round_trip_s.mean
    latency_s=1.latency_s.mean overhead_s=1.overhead_s.mean gap_s=1.gap_s.mean gap_per_byte_s=1.gap_per_byte_s.mean 1.*
    """,
    "ictus.network/1",
)
BISECTION_COLUMNS = row_columns("""
    kind pairs alone_bytes_per_s=alone.mean alone_bytes_per_s_low alone_bytes_per_s_high
    effective_bytes_per_s=effective.mean effective_bytes_per_s_low effective_bytes_per_s_high
    slowest_bytes_per_s=slowest share
""")
NOISE_COLUMNS = row_columns("rank host cpus lost=lost.mean lost_low lost_high largest_s slower")

GIB = 1 << 30
MOST_RANKS = 16
"""Ranks with a line of their own: those that lose most."""
NOISY = 0.01
"""Share of a rank's time whose loss is worth a word: a collective of many ranks waits for the one that loses it."""
SHARED = 0.5
"""A share of a lone stream's bandwidth below which matchings share links."""
CROOKED = 0.25
"""The relative distance of a gap from its line at which the parameters do not describe the link."""


def _times(interval: MeanInterval | None) -> Times | str:
    return NONE if interval is None else Times(interval.mean)


def _interval(interval: MeanInterval | None) -> Times | str:
    return NONE if interval is None or interval.low is None else Times(interval.low, interval.high)


def _rate(interval: MeanInterval | None) -> str:
    return NONE if interval is None else three_digits(interval.mean / GIB)


def _rate_interval(interval: MeanInterval) -> str:
    low, high = interval.low, interval.high
    return NONE if low is None or high is None else f"{three_digits(low / GIB)} … {three_digits(high / GIB)}"


def gigabytes(per_byte: float) -> str:
    """A gap per byte as the bandwidth that it allows, GiB/s; a dash where the gap does not grow."""
    return three_digits(1 / per_byte / GIB) if per_byte > 0 else NONE


def _bandwidth_interval(interval: MeanInterval) -> str:
    if interval.low is None or interval.high is None or interval.low <= 0:
        return NONE
    return f"{gigabytes(interval.high)} … {gigabytes(interval.low)}"


Line = tuple[LinkSummary, LogGP]


def loggp_table(links: Sequence[LinkSummary]) -> Table[Line]:
    """A line for each link, and for each protocol of it."""
    column = Column[Line]
    columns = (
        column("from", "ranks", lambda row: row[0].name, "left", once=True),
        column("kind", "", lambda row: Cell(row[0].kind, "dim"), "left", 1, once=True),
        column("low_bytes", "sizes", _sizes, "left"),
        column("latency_s", "L", lambda row: Cell(_times(row[1].latency_s), "bold"), "point"),
        column("latency_s_low", "95 %", lambda row: _interval(row[1].latency_s), "range", 3),
        column("overhead_s", "o", lambda row: _times(row[1].overhead_s), "point"),
        column("overhead_s_low", "95 %", lambda row: _interval(row[1].overhead_s), "range", 4),
        column("gap_s", "g", lambda row: _times(row[1].gap_s), "point"),
        column("gap_s_low", "95 %", lambda row: _interval(row[1].gap_s), "range", 5),
        column("gap_per_byte_s", "1/G", lambda row: gigabytes(row[1].gap_per_byte_s.mean), "point", unit="GiB/s"),
        column("gap_per_byte_s_low", "95 %", lambda row: _bandwidth_interval(row[1].gap_per_byte_s), "range", 2),
        column("residual", "off the line", lambda row: f"{100 * row[1].residual:.0f} %", importance=6),
    )
    return Table(columns, [Block("LogGP parameters", f"{launches_text(links)}, 95 % over launches", lines_of(links))])


def lines_of(links: Sequence[LinkSummary]) -> list[Line]:
    """The lines of all links, one after the other."""
    return [(link, line) for link in links for line in link.lines]


def _sizes(row: Line) -> str:
    return f"{format_size(row[1].low_bytes)} to {format_size(row[1].high_bytes)}"


def launches_text(links: Sequence[LinkSummary]) -> str:
    """`5 launches`."""
    n = links[0].launches if links else 0
    return f"{n} launch{'' if n == 1 else 'es'}"


def size_table(link: LinkSummary) -> Table[SizeTimes]:
    """A link by size."""
    column = Column[SizeTimes]
    columns = (
        column("size_bytes", "size", lambda row: format_size(row.size_bytes)),
        column("round_trip_s", "round trip", lambda row: _times(row.round_trip_s), "point"),
        column("round_trip_s_low", "95 %", lambda row: _interval(row.round_trip_s), "range"),
        column("gap_s", "gap", lambda row: _times(row.gap_s), "point"),
        column("overhead_s", "overhead", lambda row: _times(row.overhead_s), "point"),
    )
    return Table(columns, [Block(f"Ranks {link.name}", link.kind, link.sizes)])


def bisection_table(rows: Sequence[BisectionSummary]) -> Table[BisectionSummary]:
    """Bandwidth of a pair alone and in random matchings."""
    column = Column[BisectionSummary]
    columns = (
        column("kind", "pairs", lambda row: row.kind, "left"),
        column("alone_bytes_per_s", "alone", lambda row: _rate(row.alone), "point"),
        column("effective_bytes_per_s", "effective", lambda row: Cell(_rate(row.effective), "bold"), "point"),
        column("effective_bytes_per_s_low", "95 %", lambda row: _rate_interval(row.effective), "range", 2),
        column("slowest_bytes_per_s", "slowest", lambda row: three_digits(row.slowest / GIB), "point", 1),
        column("share", "share", lambda row: NONE if row.share is None else f"{100 * row.share:.0f} %"),
        column("pairs", "streams", lambda row: str(row.pairs), importance=3),
    )
    return Table(columns, [Block("Effective bisection bandwidth", "a pair's stream, GiB/s", rows)])


def noise_table(rows: Sequence[NoiseSummary]) -> Table[NoiseSummary]:
    """The ranks that lose most."""
    column = Column[NoiseSummary]
    columns = (
        column("rank", "rank"),
        column("host", "host", lambda row: row.host, "left", 2),
        column("cpus", "CPUs", lambda row: row.cpus, "left", 1),
        column("lost", "lost", lambda row: Cell(percent(row.lost.mean), "bold"), "point"),
        column("lost_low", "95 %", _lost_interval, "range", 3),
        column("largest_s", "longest stop", lambda row: Times(row.largest_s), "point"),
        column("slower", "slower core", lambda row: percent(row.slower), "point", 2),
    )
    worst = sorted(rows, key=lambda summary: -summary.lost.mean)[:MOST_RANKS]
    detail = "" if len(worst) == len(rows) else f"the {len(worst)} of {len(rows)} ranks that lose most"
    return Table(columns, [Block("Noise of the operating system", detail, worst)])


def percent(share: float) -> str:
    """`0.123 %`."""
    return f"{three_digits(100 * share, at_most=3)} %"


def _lost_interval(row: NoiseSummary) -> str:
    low, high = row.lost.low, row.lost.high
    return NONE if low is None or high is None else f"{percent(max(low, 0.0))} … {percent(min(high, 1.0))}"


def network_sentences(summary: NetworkSummary) -> list[str]:
    """The answer: links, bandwidth, noise."""
    sentences = []
    for kind in dict.fromkeys(link.kind for link in summary.links):
        summaries = [link for link in summary.links if link.kind == kind]
        trip = min(summaries, key=lambda link: link.sizes[0].round_trip_s.mean).sizes[0]
        text = f"A round trip {kind} takes {format_duration(trip.round_trip_s.mean)} at {format_size(trip.size_bytes)}"
        rates = [line.gap_per_byte_s.mean for link in summaries for line in link.lines[-1:]]
        steady = [rate for rate in rates if rate > 0]
        sentences.append(f"{text}, long trains reach {gigabytes(min(steady))} GiB/s." if steady else f"{text}.")
    for row in summary.bisection:
        share = "" if row.share is None else f", {100 * row.share:.0f} % of a lone pair's"
        sentences.append(f"In random matchings a pair {row.kind} has {_rate(row.effective)} GiB/s{share}.")
    if summary.noise:
        worst = max(summary.noise, key=lambda noise_summary: noise_summary.lost.mean)
        sentences.append(
            f"The operating system takes up to {percent(worst.lost.mean)} of a rank's time (rank {worst.rank}), at "
            f"most {format_duration(max(rank_noise.largest_s for rank_noise in summary.noise))} at once."
        )
    return sentences


def warnings_of(study: NetworkDocument, summary: NetworkSummary) -> tuple[str, ...]:
    """Warnings of the core, and what the numbers themselves say against them or the machine."""
    warnings = [text for setting in study.settings for text in setting.warnings]
    crooked = [link.name for link in summary.links if any(line.residual > CROOKED for line in link.lines)]
    if crooked:
        warnings.append(
            f"gaps of ranks {'; '.join(crooked)} are up to more than {100 * CROOKED:.0f} % off their lines: LogGP does "
            "not describe the link, or others were on it; look at its table by size"
        )
    warnings += [
        f"matchings have {100 * row.share:.0f} % of a lone pair's bandwidth {row.kind}: "
        + (
            "pairs share links, so that times of large messages depend on where the batch system puts the ranks"
            if row.kind == BETWEEN
            else "pairs share the memory's bandwidth"
        )
        for row in summary.bisection
        if row.share is not None and row.share < SHARED
    ]
    noisy = [noise_summary for noise_summary in summary.noise if noise_summary.lost.mean > NOISY]
    if noisy:
        ranks = ", ".join(str(rank_noise.rank) for rank_noise in noisy[:5]) + (" ..." if len(noisy) > 5 else "")
        warnings.append(
            f"{len(noisy)} of {len(summary.noise)} ranks lose more than {percent(NOISY)} of their time to others "
            f"(rank{'' if len(noisy) == 1 else 's'} {ranks}): collectives wait for them; end what runs there, or leave "
            "a core to the system"
        )
    return tuple(dict.fromkeys(warnings))
