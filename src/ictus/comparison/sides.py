"""The sides of a comparison: from what was asked for to pairs of values of the compared factor."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace

import polars as pl

from ictus.comparison.case_titles import LIBRARY, SPECS, brief, value_title
from ictus.comparison.matching import Side, values
from ictus.comparison.missing import planned_values
from ictus.model.environment import ENVIRONMENT
from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.unknown import unknown
from ictus.store.campaign import Campaign

_RECORDED = (
    "launches record the variables of MPI, its networks and the heap (OMPI_, MPIR_CVAR_, UCX_, FI_, MALLOC_, ...)"
)


def sides(
    campaign: Campaign,
    other: Campaign | None,
    by: str,
    a: str | None = None,
    b: str | None = None,
    *,
    reference: str | None = None,
) -> Iterable[tuple[Side, Side]]:
    """The pairs to compare, from their names; UsageError for names that the campaigns do not have."""
    if reference is not None:
        return _against(campaign, other, by, (a, b), reference)
    if other is None:
        here = values_b = planned_values(campaign, by)
    else:
        here, values_b = values(campaign, by), values(other, by)
    if a is not None:
        first = _value(by, a, here)
        second = _value(by, a if b is None else b, values_b) if other is not None else _second(by, first, b, values_b)
        if first == second and (other is None or _same_folder(campaign, other)):
            raise UsageError(f"'{a}' against itself: same launches on both sides")
        return [_pair(campaign, other, by, first, second)]
    if other is None:
        if len(here) < 2:
            only = f"only '{here[0]}'" if here else "nothing"
            which = f"; {_RECORDED}" if by.startswith(ENVIRONMENT) else ""
            raise UsageError(f"nothing to compare: the campaign has {only} for {by}; --by names another factor{which}")
        return [_pair(campaign, None, by, x, y) for x, y in itertools.combinations(here, 2)]
    if _same_folder(campaign, other):
        raise UsageError(f"'{campaign.folder}' against itself: same launches on both sides")
    shared = [value for value in here if value in values_b]
    if not shared:
        # Nobody asked for one library against another: a baseline of the wrong one must not look like a result.
        texts = [[brief(by, value) for value in side_values] for side_values in (here, values_b)]
        raise UsageError(
            f"the campaigns share no {'library' if by == LIBRARY else by}: {', '.join(texts[0])} against "
            f"{', '.join(texts[1])}; to compare them all the same, name one of each behind the folders, as in "
            f"'{texts[0][0]} {texts[1][0]}'"
        )
    on_one_side = [value for value in (*here, *values_b) if value not in shared]
    return [_pair(campaign, other, by, value, value) for value in (*shared, *on_one_side)]


def side_campaigns(campaigns: Campaign | Sequence[Campaign]) -> tuple[Campaign, ...]:
    """The campaigns of a side. UsageError for none, and for one that is there twice."""
    given_campaigns = (campaigns,) if isinstance(campaigns, Campaign) else tuple(campaigns)
    if not given_campaigns:
        raise UsageError("no campaign to compare: a side is empty; give one campaign or several")
    folders = [campaign.folder.resolve() for campaign in given_campaigns]
    twice = next((campaign for campaign in given_campaigns if folders.count(campaign.folder.resolve()) > 1), None)
    if twice is not None:
        raise UsageError(f"'{twice.folder}' is given twice: a campaign counts once")
    return given_campaigns


def name_all(pair: tuple[Side, Side], ours: Sequence[Campaign], others: Sequence[Campaign]) -> tuple[Side, Side]:
    """The pair, its names being those of all campaigns of their side: `old1…old4:mpich`."""

    def renamed(side: Side, campaigns: Sequence[Campaign]) -> Side:
        folder, colon, label = side.name.rpartition(":")
        return (
            side
            if len(campaigns) < 2 or not colon
            else replace(side, name=f"{folder}…{campaigns[-1].folder.name}:{label}")
        )

    return renamed(pair[0], ours), renamed(pair[1], others)


def _against(
    campaign: Campaign, other: Campaign | None, by: str, names: tuple[str | None, str | None], reference: str
) -> Iterable[tuple[Side, Side]]:
    """Every other value but for the plan's control, or `a` alone, against the one that is the reference."""
    if other is not None:
        raise UsageError(f"reference '{reference}': the second folder is the reference already; leave out one")
    a, b = names
    if b is not None:
        raise UsageError(f"reference '{reference}': '{a}' is compared with '{b}' already; leave out one")
    planned = planned_values(campaign, by)
    second = _value(by, reference, planned)
    judged = (
        [judged_value for judged_value in planned if judged_value != second] if a is None else [_value(by, a, planned)]
    )
    if a is None and by == LIBRARY and judged != [campaign.plan.control]:
        judged = [
            judged_value for judged_value in judged if judged_value != campaign.plan.control
        ]  # it is no library under test
    if not judged or second in judged:
        raise UsageError(f"reference '{reference}': the campaign has nothing else to compare with it")
    return [_pair(campaign, None, by, judged_value, second) for judged_value in judged]


def _same_folder(campaign: Campaign, other: Campaign) -> bool:
    return campaign.folder.resolve() == other.folder.resolve()


def _second(by: str, first: object, b: str | None, values_b: Sequence[object]) -> object:
    if b is not None:
        return _value(by, b, values_b)
    others = [value for value in values_b if value != first]
    if len(others) != 1:
        raise UsageError(
            f"'{first}' is compared with what? Name one of {', '.join(map(str, others)) or 'none: there is no other'}"
        )
    return others[0]


def _pair(campaign: Campaign, other: Campaign | None, by: str, x: object, y: object) -> tuple[Side, Side]:
    """Two sides with names that differ: in one campaign its values, in two the folders too where the values are
    equal.
    """
    second = campaign if other is None else other
    names = [_name(by, x, campaign), _name(by, y, second)]
    if names[0] == names[1]:
        names = [
            f"{of_side.folder.resolve().name}:{name}" for of_side, name in zip((campaign, second), names, strict=True)
        ]
    if names[0] == names[1]:
        names = [f"{of_side.folder}:{_name(by, x, of_side)}" for of_side in (campaign, second)]
    return Side(campaign, x, names[0]), Side(second, y, names[1])


def _name(by: str, value: object, campaign: Campaign) -> str:
    if by != "cache":
        return value_title(by, value)
    sizes = campaign.cases.filter(pl.col(by) == value)["cache_bytes"].to_list()
    return value_title(by, value, next(iter(sizes), None))


def _value(by: str, text: str, candidates: Sequence[object]) -> object:
    """The value of a factor that was typed as `text`; a member of a family may be typed briefly, and by its bare name
    where only one value has that name.
    """
    matching = next((value for value in candidates if text in (str(value), value_title(by, value))), None)
    if matching is None and by in SPECS:
        full = str(Registries.load().check(by, text))
        matching = next((value for value in candidates if str(value) == full), None)
        alike = [value for value in candidates if str(value).partition("(")[0] == text]
        matching = alike[0] if matching is None and len(alike) == 1 else matching
    if matching is None:
        raise unknown(f"{'library' if by == LIBRARY else by} '{text}' in this campaign", text, map(str, candidates))
    return matching
