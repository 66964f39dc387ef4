"""What a campaign holds and how well its medians are known, in sentences; the command that looks further."""

from collections.abc import Iterator, Sequence

from ictus.comparison.case_row import CaseRow
from ictus.comparison.case_titles import LIBRARY, joined, operation_title
from ictus.comparison.cases import Cases
from ictus.comparison.compared_factor import varying_factors
from ictus.model.launch_factor import as_option
from ictus.model.quantity import format_size, percent
from ictus.store.campaign import Campaign


def overview_sentences(campaign: Campaign, of_campaign: Cases) -> Iterator[str]:
    """`8 cases of mpich and openmpi, 10 launches each.` and how far their medians are known."""
    rows = of_campaign.rows
    n_cases = len({tuple(sorted((name, str(value)) for name, value in row.case.items())) for row in rows})
    counts = sorted({row.n_launches for row in rows}) or [0]
    launches = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
    noun = "launch" if counts == [1] else "launches"
    each = " each" if len(campaign.labels) > 1 else ""
    state = "" if campaign.complete else "; the campaign is not complete"
    cases = f"{n_cases} case{'' if n_cases == 1 else 's'}"
    yield f"{cases} of {joined(campaign.labels)}, {launches} {noun}{each}{state}."
    yield from _known_within(rows, of_campaign.confidence)


def _known_within(rows: Sequence[CaseRow], confidence: float) -> Iterator[str]:
    """Half of the interval over the median: of the row in the middle, and of the worst one."""
    halves = sorted(
        ((row.high_s - row.low_s) / 2 / row.median_s, index)
        for index, row in enumerate(rows)
        if row.median_s and row.low_s is not None and row.high_s is not None
    )
    without = sum(row.median_s is not None and row.low_s is None for row in rows)
    if halves:
        worst = rows[halves[-1][1]]
        size = f" {format_size(int(worst.case['size_bytes']))}" if worst.case.get("size_bytes") else ""
        where = "" if len(halves) == 1 else f", at worst {_rough(halves[-1][0])}"
        which = "" if len(halves) == 1 else f" ({operation_title(worst.case)}{size}, {worst.mpi})"
        middle = _rough(halves[(len(halves) - 1) // 2][0])
        yield f"Medians are known within {middle}{where}{which}: half of the {percent(confidence)} interval."
    if without:
        yield f"{without} of {len(rows)} medians have too few launches for an interval."
    lost = sum(row.median_s is None for row in rows)
    if lost:
        yield f"{lost} of {len(rows)} rows have no valid sample."


def _rough(share: float) -> str:
    return f"{100 * share:.2g} %"


def next_words(campaign: Campaign) -> tuple[str, ...]:
    """The next command for the campaign: compare its libraries, or by a factor that varies; else show it."""
    varying = varying_factors(campaign)
    if not varying:
        return ("show",)
    return ("compare",) if varying[0] == LIBRARY else ("compare", "--by", as_option(varying[0]))
