"""The report of a campaign: one self-contained HTML file. The same folder gives the same bytes."""

from collections import Counter
from collections.abc import Sequence
from statistics import median

from ictus.comparison.case_row import CaseRow
from ictus.comparison.case_titles import LIBRARY, brief, factor_title, operation_title
from ictus.comparison.cases import Cases
from ictus.comparison.clock_bounds import reached_bound, stated_error
from ictus.comparison.compared_factor import cases_by, varying_factors
from ictus.comparison.comparison import Comparison
from ictus.comparison.effect_sizes import effects
from ictus.comparison.figures import series_by
from ictus.comparison.heap import heap_sentences
from ictus.comparison.pair_words import outlook, sentence
from ictus.comparison.ranking import factor_shares
from ictus.comparison.rejected_windows import rejected_sentences, rejected_windows
from ictus.comparison.rows import ComparisonRow, count
from ictus.comparison.section_words import words
from ictus.comparison.sections import ReportData, sections
from ictus.comparison.span import span_of
from ictus.comparison.words import method
from ictus.model.launch_factor import as_option
from ictus.model.quantity import format_duration, format_size, percent
from ictus.render.page import Fact, Legend, Page, PairHeadline, TallyPart, day, render_page
from ictus.store.campaign import Campaign


def campaign_page(campaign: Campaign, cases: Cases, comparison: Comparison | None, again: str) -> str:
    """The page for a campaign; `found` is None where there is nothing to compare, `again` the command that makes the
    page. Reads the campaign's samples.
    """
    compared = comparison or _nothing_compared(campaign, cases)
    rows = cases_by(campaign, cases.rows, compared.by)
    libraries, legend = Legend(campaign.labels), legend_of(campaign, rows, compared.by)
    page = Page(
        title=_title(campaign, compared),
        where=f"{day(campaign.created)} · {_host(campaign)}",
        reproduce_command=again,
        ictus=campaign.ictus,
        question=_asked(compared, rows),
        lead=_lead(campaign, rows),
        compared=factor_title(compared.by),
        series=legend.labels,
        pairs=tuple(
            headline([row for row in compared.rows if (row.a, row.b) == pair], legend, compared.equivalence)
            for pair in compared.pairs
        ),
        facts=tuple(_facts(campaign, cases.rows, compared)),
        words=words(compared=bool(compared.rows)),
        sections=sections(ReportData(campaign, rows, compared, legend, libraries)),
    )
    return render_page(page)


def _nothing_compared(campaign: Campaign, cases: Cases) -> Comparison:
    """A comparison without rows, by the plan's settings."""
    return Comparison(
        rows=(),
        by=LIBRARY,
        test="none",
        paired=False,
        adjust=campaign.plan.adjust,
        level=campaign.plan.level,
        equivalence=0.05,
        alternative="two-sided",
        warnings=cases.warnings,
        reduction=campaign.reduction,
        shares=factor_shares(campaign),
    )


def _asked(compared: Comparison, rows: Sequence[CaseRow]) -> str:
    """The question that the page answers."""
    operations = list(dict.fromkeys(operation_title(row.case) for row in rows))
    sizes = sorted({int(row.case["size_bytes"]) for row in rows if "size_bytes" in row.case})
    what = " and ".join(filter(None, (", ".join(operations[:-1]), *operations[-1:])))
    what += (
        f" of {format_size(sizes[0])}" + (f" to {format_size(sizes[-1])}" if len(sizes) > 1 else "") if sizes else ""
    )
    who = list(dict.fromkeys(side for pair in compared.pairs for side in pair))
    if not who:
        return f"Asked: how long {what} takes."
    return f"Asked: which of {', '.join(who[:-1])} and {who[-1]} is faster in {what}."


def _lead(campaign: Campaign, rows: Sequence[CaseRow]) -> str:
    """What was measured, and which factors can be compared, where none is."""
    lead = f"{len({tuple(row.case.items()) for row in rows})} cases of {', '.join(map(str, campaign.labels))}."
    ways = [f"--by {as_option(name)}" for name in varying_factors(campaign)]
    return f"{lead} Several factors vary; `ictus report` compares one: {' or '.join(ways)}." if ways else lead


def legend_of(campaign: Campaign, cases: Sequence[CaseRow], by: str) -> Legend:
    """The series of figures: libraries, or the values of the compared factor, of `cases_by`."""
    if by == LIBRARY:
        return Legend(campaign.labels)
    return Legend(tuple(dict.fromkeys(series_by(by)(row) for row in cases)))


def _title(campaign: Campaign, compared: Comparison) -> str:
    """`mpich 5.0.2 against openmpi 5.0.11`, as long as it stays a title."""
    versions = {library.label: library.version for library in campaign.libraries}
    if compared.by != LIBRARY:
        pairs = compared.pairs
        return " against ".join(pairs[0]) if len(pairs) == 1 else f"{compared.by.capitalize()} compared"
    names = [
        f"{label} {versions[label]}" if versions[label] not in ("unknown", "") else label for label in campaign.labels
    ]
    if len(names) <= 2:
        return " against ".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _facts(campaign: Campaign, cases: Sequence[CaseRow], compared: Comparison) -> list[Fact]:
    """The handful of factors that decide how to read the page."""
    counts = Counter(launch.mpi for launch in campaign.launches)
    each = set(counts.values())
    launches = (
        f"{each.pop()} of each library, {'interleaved' if campaign.in_turn else 'in an order that is not known'}"
        if len(each) == 1
        else ", ".join(f"{n} {m}" for m, n in counts.items())
    )
    n_values = sorted({launch.n for launch in campaign.launches})
    hosts = {host.name for launch in campaign.launches for host in launch.record.hosts}
    attempted, valid, late, long = (
        sum(getattr(row, name) for row in cases) for name in ("attempted", "valid", "late", "long")
    )
    skews = [row.start_skew_s for row in cases if row.start_skew_s is not None]
    procsyncs = dict.fromkeys(brief("procsync", row.case["procsync"]) for row in cases)
    clocksyncs = dict.fromkeys(brief("clocksync", row.case["clocksync"]) for row in cases)
    bound = reached_bound(campaign)
    proven = "" if bound is None else f", proven to {format_duration(bound)}"
    stated = stated_error(campaign)
    if stated:
        proven += f", standard error {stated}"
    where = "" if campaign.imported else f" on {len(hosts) or 1} host{'s' if len(hosts) > 1 else ''}"
    started = f", ranks {format_duration(median(skews))} apart" if skews else ""
    sure = method(compared)[1].removeprefix("How sure: ").rstrip(".") if compared.rows else ""
    span = span_of([campaign])
    facts = [
        *([Fact("evidence", compared.evidence.fact), Fact("how sure", sure)] if sure else []),
        *([Fact("numbers", campaign.imported.caption)] if campaign.imported is not None else []),
        Fact("launches", launches),
        *([Fact("holds for", span.text)] if span is not None else []),
        Fact("processes", ", ".join(map(str, n_values)) + where),
        Fact("start", ", ".join(procsyncs) + started),
        Fact("clocks", ", ".join(clocksyncs) + proven),
    ]
    if attempted:
        share = f"{100 * valid / attempted:.3g} % of {attempted:,}"
        facts.append(Fact("valid samples", share + (f" ({late:,} late, {long:,} overrun)" if late or long else "")))
    tried = rejected_sentences(rejected_windows(campaign))
    facts += [Fact("rejected windows", sentence.removesuffix(".")) for sentence in tried]
    heaps = ", ".join(dict.fromkeys(launch.slot.heap for launch in campaign.launches))
    facts.append(Fact("freed memory", ". ".join((heaps, " ".join(heap_sentences(campaign)))).removesuffix(". ")))
    return [*facts, Fact("seed", str(campaign.seed))]


def _host(campaign: Campaign) -> str:
    return str(campaign.machine.get("host", "unknown host"))


def headline(rows: Sequence[ComparisonRow], legend: Legend, equivalence: float) -> PairHeadline:
    """The headline of one pair; all rows have the same `a` and `b`."""
    a, b = rows[0].a, rows[0].b
    counts = count(rows)
    stuck = 0 < counts.open == counts.cannot_decide
    tally = (
        TallyPart("faster", counts.faster, f"{a} faster", legend.colour(a)),
        TallyPart("same", counts.same, f"same within {percent(equivalence)}", "soft"),
        TallyPart("distributions-differ", counts.distributions, "differ in distribution", "line"),
        TallyPart("undecided", counts.open, "cannot decide" if stuck else "undecided", "line"),
        TallyPart("apart", counts.apart, "apart", "line"),
        TallyPart("unmeasured", counts.not_comparable, "not comparable", "line"),
        TallyPart("unmeasured", counts.missing, "missing", "line"),
        TallyPart("slower", counts.slower, f"{b} faster", legend.colour(b)),
    )
    parts = tuple(
        part for part in tally if part.count or part.outcome not in ("unmeasured", "distributions-differ", "apart")
    )
    answers = tuple(Fact(effect.title, f"{effect.text}.") for effect in effects(rows))
    return PairHeadline(a, b, sentence(rows, a, b, equivalence), parts, outlook(rows), answers)
