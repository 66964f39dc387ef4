"""What every suite would have reported of a campaign's launches, beside the makespan: one row for each library, case
and lens.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ictus.lens.lens import Printed, Report
from ictus.lens.registry import ALL, Look, find_look
from ictus.model.errors import UsageError
from ictus.model.method import FAMILIES, Method
from ictus.model.registries import Registries
from ictus.model.spec import Number, Spec, parse_spec
from ictus.report.lens_data import measured_cases
from ictus.report.matching import medians
from ictus.report.rows import DERIVED, IDENTITY
from ictus.stats.compare import Comparison, compare_cases
from ictus.store.campaign import Campaign

SHARED = tuple(name for name in (*IDENTITY, *DERIVED) if name not in FAMILIES)
"""Factors that the methods of one table do not differ in."""


@dataclass(frozen=True)
class LensRow:
    """One lens on one case of one library, over its launches. Times in seconds, None where there are none."""

    mpi: str
    case: Mapping[str, Any]
    """The factors of the case, `procsync`, `scheme` and `repetition` left out."""
    lens: str
    """Short: `skampi(window)`."""
    spec: str
    """In full."""
    measured_by: Method
    headline: str
    """What the suite calls the number."""
    printed: tuple[Printed, ...]
    """The suite's line: of each number the median over launches."""
    reference: str
    """What the ratio is to: `makespan`, or `local_max` where clocks are not synchronised."""
    result: Comparison
    """Headline (a) against the reference (b), launch by launch."""
    ratio_min: float | None
    """The smallest and the largest ratio of any launch."""
    ratio_max: float | None

    @property
    def headline_s(self) -> float | None:
        """The headline, median over launches."""
        return self.result.median_a

    @property
    def reference_s(self) -> float | None:
        """The makespan, median over launches of the launches' medians."""
        return self.result.median_b

    def flat(self) -> dict[str, Any]:
        """The row for scripts."""
        result = self.result
        return {
            "mpi": self.mpi,
            "case": dict(self.case),
            "lens": self.lens,
            "spec": self.spec,
            **{name: getattr(self.measured_by, name) for name in FAMILIES},
            "n_launches": result.n_a,
            "headline": self.headline,
            "headline_s": result.median_a,
            "reference": self.reference,
            "reference_s": result.median_b,
            "ratio": result.ratio,
            "ratio_low": result.ratio_low,
            "ratio_high": result.ratio_high,
            "ratio_min": self.ratio_min,
            "ratio_max": self.ratio_max,
            "printed": [f"{number.name}={number.text}" for number in self.printed],
        }


@dataclass(frozen=True)
class _Seen:
    """A lens on a case, while its launches are gathered."""

    look: Look
    method: Method
    reports: tuple[Report | None, ...]
    """One for each launch of the library."""
    references_s: tuple[float | None, ...]
    reference: str


def lens_rows(campaign: Campaign, looks: Sequence[Look] | None = None, confidence: float = 0.95) -> tuple[LensRow, ...]:
    """The rows of all lenses, or of `looks`, for which the campaign has the data.

    The reference is the campaign's first method: its median, launch by launch. UsageError for a lens whose method the
    campaign did not measure, or that needs raw data where there are none.
    """
    chosen = tuple(map(find_look, ALL)) if looks is None else tuple(looks)
    seen = list(_seen(campaign, chosen, asked=looks is not None))
    if not seen:
        raise UsageError(
            f"'{campaign.folder}' has no case that a lens can look at; `ictus lens -o FOLDER` measures them"
        )
    results = compare_cases(
        [[None if one is None else one.headline_s for one in each.reports] for *_, each in seen],
        [each.references_s for *_, each in seen],
        paired=True,
        level=1 - confidence,
        adjust="none",
    )
    return tuple(_row(mpi, case, each, result) for (mpi, case, each), result in zip(seen, results, strict=True))


def _seen(campaign: Campaign, looks: Sequence[Look], *, asked: bool) -> Iterator[tuple[str, dict[str, Any], _Seen]]:
    """Every library, group of cases and lens, in the order of the table."""
    data = [measured_cases(*pair) for pair in zip(campaign.launches, campaign.sources, strict=True)]
    summaries = medians(campaign)
    reference_s = {(row["launch"], row["case_id"]): row["median"] for row in summaries.iter_rows(named=True)}
    headlines = {row["case_id"]: row["headline"] for row in summaries.iter_rows(named=True)}
    first = campaign.plan.ways[0].checked(Registries.load())
    raw = any(one.local is not None for launch in data for one in launch.values())
    for case, ways in _groups(campaign):
        usable = [(look, method) for look in looks if (method := _method_of(look, ways)) is not None]
        if asked and len(usable) < len(looks):
            missing = next(look for look in looks if look not in [one for one, _ in usable])
            raise UsageError(f"lens '{missing.label}' looks at a method that '{campaign.folder}' did not measure")
        for label in campaign.labels:
            numbers = [i for i, launch in enumerate(campaign.launches) if launch.mpi == label and launch.n == case["n"]]
            for look, method in usable:
                if look.lens.needs_raw and not raw:
                    if asked:
                        raise UsageError(f"lens '{look.label}' needs raw data, and '{campaign.folder}' was run without")
                    continue
                found = [data[i].get(ways[method]) for i in numbers]
                reports = tuple(None if one is None else look.report(one) for one in found)
                references = tuple(reference_s.get((i + 1, ways[first])) for i in numbers)
                if any(one is not None for one in reports):
                    yield label, case, _Seen(look, method, reports, references, headlines[ways[first]])


def _groups(campaign: Campaign) -> list[tuple[dict[str, Any], dict[Method, int]]]:
    """Cases that differ in nothing but the method: what they share, and the id of each method's case."""
    groups: dict[tuple[object, ...], tuple[dict[str, Any], dict[Method, int]]] = {}
    for row in campaign.cases.iter_rows(named=True):
        shared = {name: row[name] for name in SHARED}
        _, ways = groups.setdefault(tuple(shared.values()), (shared, {}))
        ways[Method(**{name: row[name] for name in FAMILIES})] = row["case_id"]
    return list(groups.values())


def _method_of(look: Look, ways: Mapping[Method, int]) -> Method | None:
    """The method among `ways` that the lens looks at, with whatever number of calls it was measured."""
    for calls in sorted({number for way in ways for number in _counts(way)}, reverse=True):
        try:
            method = look.method(calls).checked(Registries.load())
        except UsageError:  # a member that this version's core does not have, or a number out of its range
            continue
        if method in ways:
            return method
    return None


def _counts(way: Method) -> Iterator[int]:
    """All whole numbers that a method names: one of them, or their product, is its number of calls."""
    found = [_count(parse_spec(text), key) for text, key in ((way.scheme, "calls"), (way.repetition, "nrep"))]
    yield from (number for number in found if number is not None)
    yield (found[0] or 1) * (found[1] or 1)


def _count(spec: Spec, key: str) -> int | None:
    value = spec.argument(key)
    return int(float(value.text)) if isinstance(value, Number) else None


def _row(mpi: str, case: Mapping[str, Any], seen: _Seen, result: Comparison) -> LensRow:
    known = [report for report in seen.reports if report is not None]
    ratios = [
        report.headline_s / reference
        for report, reference in zip(seen.reports, seen.references_s, strict=True)
        if report is not None and reference
    ]
    return LensRow(
        mpi=mpi,
        case=case,
        lens=seen.look.label,
        spec=str(seen.look.spec),
        measured_by=seen.method,
        headline=known[0].headline,
        printed=_medians(known),
        reference=seen.reference,
        result=result,
        ratio_min=min(ratios, default=None),
        ratio_max=max(ratios, default=None),
    )


def _medians(reports: Sequence[Report]) -> tuple[Printed, ...]:
    """Of each number of the line the median over launches."""
    columns = zip(*(report.numbers for report in reports), strict=True)
    return tuple(replace(column[0], value=float(np.median([one.value for one in column]))) for column in columns)
