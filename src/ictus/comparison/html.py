"""The report: one HTML file that needs nothing but itself. The same folder gives the same bytes."""

import functools
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from importlib import resources
from statistics import median

import jinja2
from markupsafe import Markup

from ictus.comparison.clock_proof import reached_bound
from ictus.comparison.factors import Factor
from ictus.comparison.figures import series_by
from ictus.comparison.matching import LIBRARY
from ictus.comparison.page import headline
from ictus.comparison.page_sections import Judgement, Material, sections
from ictus.comparison.ranking_rows import CaseRanking
from ictus.comparison.rows import CaseRow, ComparisonRow, brief
from ictus.model.quantity import format_duration
from ictus.render.content import Page
from ictus.render.figures.scheme import css_variables
from ictus.render.legend import Legend
from ictus.stats.variance_share import VarianceShares
from ictus.store.campaign import Campaign

_MARK = Markup(
    '<svg viewBox="0 0 24 24" aria-hidden="true"><g style="fill:none;stroke-width:2.6;stroke-linecap:round">'
    '<path d="M12 2v13" style="stroke:var(--series-1)"/>'
    '<path d="M3 12c2 6 5 9 9 9s7-4 9-12" style="stroke:var(--series-2)"/></g>'
    '<circle cx="12" cy="20.6" r="2.6" style="fill:var(--ink)"/></svg>'
)
"""A conductor's downbeat: the instant at which all start."""


def render(
    campaign: Campaign,
    cases: Sequence[CaseRow],
    comparison: Sequence[ComparisonRow],
    judgement: Judgement,
    warnings: Sequence[str],
    *,
    rankings: Sequence[CaseRanking] = (),
    shares: VarianceShares | None = None,
) -> str:
    """The page for a campaign; `comparison` is empty where there is nothing to compare. Reads the campaign's
    samples.
    """
    libraries = Legend(campaign.labels)
    legend = libraries if judgement.by == LIBRARY else _values(cases, judgement.by)
    material = Material(campaign, cases, comparison, judgement, legend, libraries, warnings, rankings, shares)
    pairs = dict.fromkeys((row.a, row.b) for row in comparison)
    page = Page(
        title=_title(campaign, judgement, pairs),
        where=f"{day(campaign.created)} · {_host(campaign)}",
        again=f"ictus report {campaign.folder.resolve().name}",
        ictus=campaign.ictus,
        lead=f"{len({tuple(row.case.items()) for row in cases})} cases of {', '.join(map(str, campaign.labels))}.",
        pairs=tuple(
            headline([row for row in comparison if (row.a, row.b) == pair], legend, judgement.equivalence)
            for pair in pairs
        ),
        facts=tuple(_facts(campaign, cases)),
        sections=sections(material),
    )
    return render_page(page)


def render_page(page: Page) -> str:
    """The page as one self-contained HTML text."""
    text = _template().render(
        page=page,
        mark=_MARK,
        style=Markup(_style()),  # noqa: S704 (our own file)
        script=Markup(_file("table.js")),  # noqa: S704
    )
    return text.rstrip().replace(" %", "\N{NO-BREAK SPACE}%") + "\n"


def _values(cases: Sequence[CaseRow], by: str) -> Legend:
    return Legend(tuple(dict.fromkeys(series_by(by)(row) for row in cases)))


def _title(campaign: Campaign, judgement: Judgement, pairs: dict[tuple[str, str], None]) -> str:
    """`mpich 5.0.2 against openmpi 5.0.11`, as long as it stays a title."""
    versions = {library.label: library.version for library in campaign.libraries}
    if judgement.by != LIBRARY:
        return f"{' against '.join(next(iter(pairs)))}" if len(pairs) == 1 else f"{judgement.by.capitalize()} compared"
    names = [
        f"{label} {versions[label]}" if versions[label] not in ("unknown", "") else label for label in campaign.labels
    ]
    if len(names) <= 2:
        return " against ".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _facts(campaign: Campaign, cases: Sequence[CaseRow]) -> list[Factor]:
    """The handful of factors that decide how to read the page."""
    counts = Counter(launch.mpi for launch in campaign.launches)
    each = set(counts.values())
    launches = (
        f"{each.pop()} of each library, interleaved"
        if len(each) == 1
        else ", ".join(f"{n} {m}" for m, n in counts.items())
    )
    n_values = sorted({launch.n for launch in campaign.launches})
    hosts = {str(host.get("host")) for launch in campaign.launches for host in launch.record.get("hosts", ())}
    attempted, valid, late, long = (
        sum(getattr(row, name) for row in cases) for name in ("attempted", "valid", "late", "long")
    )
    skews = [row.start_skew_s for row in cases if row.start_skew_s is not None]
    procsyncs = dict.fromkeys(brief("procsync", row.case["procsync"]) for row in cases)
    clocksyncs = dict.fromkeys(brief("clocksync", row.case["clocksync"]) for row in cases)
    bound = reached_bound(campaign)
    proven = "" if bound is None else f", proven to {format_duration(bound)}"
    started = f", ranks {format_duration(median(skews))} apart" if skews else ""
    facts = [
        Factor("launches", launches),
        Factor(
            "processes", f"{', '.join(map(str, n_values))} on {len(hosts) or 1} host{'s' if len(hosts) > 1 else ''}"
        ),
        Factor("start", ", ".join(procsyncs) + started),
        Factor("clocks", ", ".join(clocksyncs) + proven),
    ]
    if attempted:
        share = f"{100 * valid / attempted:.3g} % of {attempted}"
        facts.append(Factor("valid samples", share + (f" ({late} late, {long} long)" if late or long else "")))
    return [*facts, Factor("seed", str(campaign.seed))]


def day(created: str) -> str:
    """`21 November 2025`, in words that do not depend on the reader's locale; the text as it is where it is no date."""
    try:
        day = datetime.fromisoformat(created)
    except ValueError:
        return created
    months = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
    return f"{day.day} {months[day.month - 1]} {day.year}"


def _host(campaign: Campaign) -> str:
    return str(campaign.machine.get("host", "unknown host"))


@functools.cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("ictus.render", "page"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2")


def _style() -> str:
    """The style sheet with both schemes in front; printed pages are light."""
    light, dark = css_variables(dark=False), css_variables(dark=True)
    schemes = (
        f":root{{color-scheme:light dark;{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    )
    return f"{schemes}\n{_file('style.css')}"


def _file(name: str) -> str:
    return resources.files("ictus.render").joinpath("page").joinpath(name).read_text("utf-8").strip()
