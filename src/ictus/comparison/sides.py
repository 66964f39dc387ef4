"""Which sides are compared: from what was named to pairs of values of the compared factor."""

import itertools
from collections.abc import Iterable, Sequence

import polars as pl

from ictus.comparison.case_titles import SPECS, brief, label_of
from ictus.comparison.matching import LIBRARY, Side, by_environment, differing, values
from ictus.model.errors import UsageError
from ictus.model.registries import Registries, unknown
from ictus.store.campaign import Campaign


def sides(
    campaign: Campaign, other: Campaign | None, by: str, a: str | None, b: str | None
) -> Iterable[tuple[Side, Side]]:
    """The pairs to compare, by what was named; UsageError for what the campaigns do not have."""
    here, there = values(campaign, by), values(campaign if other is None else other, by)
    if a is not None:
        first = _value(by, a, here)
        second = _value(by, a if b is None else b, there) if other is not None else _second(by, first, b, there)
        if first == second and (other is None or _same_folder(campaign, other)):
            raise UsageError(f"'{a}' against itself: same launches on both sides")
        return [_pair(campaign, other, by, first, second)]
    if other is None:
        if len(here) < 2:
            only = f"only '{here[0]}'" if here else "nothing"
            which = "; docs/file-format.md says which variables launches record" if by_environment(by) else ""
            raise UsageError(f"nothing to compare: the campaign has {only} for {by}; --by names another factor{which}")
        return [_pair(campaign, None, by, x, y) for x, y in itertools.combinations(here, 2)]
    if _same_folder(campaign, other):
        raise UsageError(f"'{campaign.folder}' against itself: same launches on both sides")
    shared = [value for value in here if value in there]
    if not shared:
        # Nobody asked for one library against another: a baseline of the wrong one must not look like a result.
        texts = [[brief(by, value) for value in known] for known in (here, there)]
        raise UsageError(
            f"the campaigns share no {'library' if by == LIBRARY else by}: {', '.join(texts[0])} against "
            f"{', '.join(texts[1])}; to compare them all the same, name one of each behind the folders, as in "
            f"'{texts[0][0]} {texts[1][0]}'"
        )
    return [_pair(campaign, other, by, value, value) for value in shared]


def _same_folder(one: Campaign, other: Campaign) -> bool:
    return one.folder.resolve() == other.folder.resolve()


def _second(by: str, first: object, b: str | None, there: Sequence[object]) -> object:
    if b is not None:
        return _value(by, b, there)
    others = [value for value in there if value != first]
    if len(others) != 1:
        raise UsageError(
            f"'{first}' against what? name one of {', '.join(map(str, others)) or 'none: there is no other'}"
        )
    return others[0]


def _pair(campaign: Campaign, other: Campaign | None, by: str, x: object, y: object) -> tuple[Side, Side]:
    """Two sides with names that differ: in one campaign its values, in two the folders too where the values are
    equal.
    """
    second = campaign if other is None else other
    names = [_name(by, x, campaign), _name(by, y, second)]
    if names[0] == names[1]:
        names = [f"{one.folder.resolve().name}:{name}" for one, name in zip((campaign, second), names, strict=True)]
    if names[0] == names[1]:
        names = [f"{one.folder}:{_name(by, x, one)}" for one in (campaign, second)]
    return Side(campaign, x, names[0]), Side(second, y, names[1])


def _name(by: str, value: object, campaign: Campaign) -> str:
    if by != "cache":
        return brief(by, value)
    size = campaign.cases.filter(pl.col(by) == value)["cache_bytes"].to_list()[0]
    return label_of(by, value, size)


def _value(by: str, text: str, known: Sequence[object]) -> object:
    """The value of a factor that was typed as `text`; a member of a family may be typed briefly, and by its bare name
    where only one value has that name.
    """
    found = next((value for value in known if str(value) == text), None)
    if found is None and by in SPECS:
        full = str(Registries.load().check(by, text))
        found = next((value for value in known if str(value) == full), None)
        alike = [value for value in known if str(value).partition("(")[0] == text]
        found = alike[0] if found is None and len(alike) == 1 else found
    if found is None:
        raise unknown(f"{'library' if by == LIBRARY else by} '{text}' in this campaign", text, map(str, known))
    return found


def nothing_in_common(a: Side, b: Side, by: str) -> str:
    """Why no case was measured on both sides."""
    found = differing(a, b, by)
    texts = [
        f"{name} ({', '.join(brief(name, one) for one in here)} against {', '.join(brief(name, one) for one in there)})"
        for name, (here, there) in found.items()
    ]
    why = f"they differ in {', '.join(texts)}" if texts else "no combination of factors was measured on both sides"
    return f"'{a.name}' and '{b.name}' have no case in common: {why}"
