"""The factor that a campaign is compared by, where nobody names one: libraries, else the only factor that varies."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from ictus.comparison.case_row import CaseRow
from ictus.comparison.case_titles import ALGORITHM, IDENTITY, LIBRARY
from ictus.model.environment import UNSET
from ictus.model.errors import UsageError
from ictus.model.launch_factor import NAMED, as_option, is_launch_factor
from ictus.model.unknown import probable
from ictus.store.campaign import Campaign

_WHAT = ("operation", "size_bytes", "n", ALGORITHM)
"""What is measured, not how; and what is looked at by itself."""


def varying_factors(campaign: Campaign) -> tuple[str, ...]:
    """All factors of which the campaign has several values for one operation, as `--by` takes them: libraries first.
    What differs between operations alone, such as a datatype of reductions, has nothing to be compared with.
    """
    libraries = [LIBRARY] if len(campaign.labels) > 1 else []
    crossed = list(campaign.settings[0])
    plain = {campaign.variants_without(*crossed).get(name, name) for name in campaign.variants}
    algorithms = [ALGORITHM] if len(plain) > 1 else []
    names = [name for name in IDENTITY if name not in _WHAT]
    several = campaign.cases.group_by("operation").agg(pl.col(names).n_unique()).select(pl.col(names).max() > 1)
    inside = [name for name in names if several[name][0]]
    return (*libraries, *crossed, *algorithms, *inside)


def only_factor(campaign: Campaign) -> str | None:
    """The factor to compare by: libraries where there are several, else the only one that varies; None without."""
    varying = varying_factors(campaign)
    return varying[0] if varying and (varying[0] == LIBRARY or len(varying) == 1) else None


def chosen_factor(campaign: Campaign, other: Campaign | None, by: str | None) -> str:
    """The factor `by`, also as its option is spelled; without one `only_factor`, between two campaigns always
    libraries. UsageError where several vary, with their names.
    """
    if by is not None:
        return by if is_launch_factor(by) else by.replace("-", "_")
    varying = varying_factors(campaign)
    factor = only_factor(campaign)
    if other is not None or not varying or factor is not None:
        return factor if factor is not None and other is None else LIBRARY
    ways = " or ".join(f"--by {as_option(name)}" for name in varying)
    raise UsageError(f"the campaign has one library, and several factors vary; name the one to compare: {ways}")


def unknown_factor(campaign: Campaign, by: str) -> UsageError:
    """The error about an unknown factor: not all that exist are known to it, but those that vary here."""
    guess = probable(by, (LIBRARY, *IDENTITY, *NAMED)) or ";"
    varied = ", ".join(varying_factors(campaign)) or "nothing"
    return UsageError(f"unknown factor '{by}' to compare by{guess} what varies in '{campaign.folder}': {varied}")


def cases_by(campaign: Campaign, rows: Sequence[CaseRow], by: str) -> tuple[CaseRow, ...]:
    """The rows with the value of a factor of launches among the factors of their cases, and no more in the name of
    their variant.
    """
    if by not in campaign.settings[0]:
        return tuple(rows)
    plain, values = campaign.variants_without(by), _values_of(campaign, by)
    return tuple(
        replace(row, case={**row.case, ALGORITHM: plain[variant], by: values[variant]})
        for row in rows
        for variant in (row.case[ALGORITHM],)
    )


def variants_with(campaign: Campaign, by: str, plain: str, value: object) -> tuple[str, ...]:
    """The variants that became `plain` with the value of the factor in `cases_by`."""
    if by not in campaign.settings[0]:
        return (plain,)
    names, values = campaign.variants_without(by), _values_of(campaign, by)
    return tuple(name for name in names if (names[name], values[name]) == (plain, value))


def _values_of(campaign: Campaign, by: str) -> dict[str, str]:
    """The value of a factor of launches in each variant, by its name."""
    return {name: setting[by] or UNSET for name, (_, setting) in campaign.planned_variants.items()}
