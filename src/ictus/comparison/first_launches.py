"""Whether the first launch of each file, or of each campaign, is unlike those after it: a program that starts first may
find cold caches, connections that are not open, and processors that sleep.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ictus.comparison.case_titles import IDENTITY, LIBRARY, NamingText, case_title, naming
from ictus.comparison.matching import medians
from ictus.stats.first_place import can_decide, first_places
from ictus.store.campaign import Campaign

Key = tuple[object, ...]


def first_launches(*campaigns: Campaign) -> Iterator[NamingText]:
    """A sentence where first launches differ from the others in any case; nothing where too few series could tell."""
    places = [_places(each_campaign) for each_campaign in campaigns]
    lengths = [len(set(place_of.values())) for by_series in places for place_of in by_series.values()]
    if not can_decide(lengths):
        return
    cases: dict[Key, Mapping[str, Any]] = {}
    values: dict[tuple[int, object], dict[Key, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    of_files = campaigns[0].imported is not None  # of one library each, so that those of two libraries tell of a case
    columns = IDENTITY if of_files else (LIBRARY, *IDENTITY)
    for number, (campaign, by_series) in enumerate(zip(campaigns, places, strict=True)):
        series_of = {slot: (name, position) for name, slots in by_series.items() for slot, position in slots.items()}
        for row in medians(campaign).select("slot", "value", *columns).iter_rows(named=True):
            key = tuple(row[name] for name in columns)
            cases.setdefault(key, {name: row[name] for name in columns})
            name, position = series_of[row["slot"]]
            if row["value"] is not None:
                values[number, name][key][position] = row["value"]
    keys = list(cases)
    unlike = first_places([_matrix(value, keys) for value in values.values()])
    if unlike:
        slower = [first_place for first_place in unlike if first_place.ratio > 1]
        word = "slower than" if len(slower) == len(unlike) else "unlike" if slower else "faster than"
        what = "file" if of_files else "campaign"
        most = max(unlike, key=lambda launch: abs(np.log(launch.ratio)))
        text = (
            f"the first launch of each {what} is {word} those after it in {len(unlike)} of {len(keys)} cases "
            f"({{}}; {100 * (most.ratio - 1):+.1f} % at most, p {max(case.p_value for case in unlike):.2g})"
        )
        advice = "; leave first launches out of the files" if of_files else ""
        yield naming(f"{text}{advice}", (case_title(cases[keys[case.case]]) for case in unlike))


def _places(campaign: Campaign) -> Mapping[object, Mapping[int, int]]:
    """By series, the place of each launch in it: the launches of one program in a file, in its order; the rounds of a
    campaign that Ictus measured, in which libraries share the state of the machine.
    """
    if campaign.imported is None:
        return {"rounds": {slot.slot: slot.block for slot in campaign.slots}}
    by_series: dict[object, dict[int, int]] = defaultdict(dict)
    slots = {slot.slot: slot for slot in campaign.slots}
    for launch in sorted(campaign.imported.launches, key=lambda launch: (launch.file, launch.line)):
        slot = slots[launch.slot]
        series = by_series[launch.file, slot.mpi, slot.n, slot.cases]
        series[launch.slot] = len(series)
    return by_series


def _matrix(of_case: Mapping[Key, Mapping[int, float]], keys: Sequence[Key]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A row for each place that has any value, a column for each case."""
    places = sorted({position for values in of_case.values() for position in values})
    return np.array([[of_case.get(key, {}).get(position, np.nan) for key in keys] for position in places])
