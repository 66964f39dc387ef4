"""Campaigns against campaigns: the cases that all of them have, through a control or with the campaign as the unit."""

from collections.abc import Mapping, Sequence

import numpy as np

from ictus.comparison.matching import MatchedCase, Side, case_key, launch_medians, match
from ictus.stats.arrays import FloatArray
from ictus.stats.compare import CaseComparison, compare_cases
from ictus.stats.control import ControlledSide, through_control
from ictus.stats.verdict import UNIT_CAMPAIGN, CaseRules
from ictus.store.campaign import Campaign

Medians = Mapping[tuple[object, ...], Mapping[int, float | None]]


class Campaigns:
    """Both sides' campaigns and earlier ones of a history, of which the launch medians of each value are read once."""

    def __init__(self, a: Sequence[Campaign], b: Sequence[Campaign], by: str, history: Sequence[Campaign] = ()) -> None:
        self._sides, self._by = (tuple(a), tuple(b), tuple(history)), by
        self._known: dict[tuple[int, int, object], Medians] = {}

    def match(
        self, pairs: Sequence[tuple[Side, Side]], control: str | None = None
    ) -> list[tuple[Side, Side, MatchedCase]]:
        """The cases of each pair that every campaign of both sides has, those of the control too."""
        in_all = []
        for a, b in pairs:
            every = [median for index, side in enumerate((a, b)) for median in self._medians(index, side.value)]
            if control is not None:
                every += [median for index in (0, 1) for median in self._medians(index, control)]
            in_all += [
                (a, b, case)
                for case in match(a, b, self._by, paired=False)
                if all(case_key(case.case, self._by) in cases for cases in every)
            ]
        return in_all

    def judge_by_campaign(
        self, matched: Sequence[tuple[Side, Side, MatchedCase]], rules: CaseRules
    ) -> list[CaseComparison]:
        """Each case with one number a campaign, the median of its launches, as `ictus history` has it: campaigns of two
        sides are exchangeable where nothing changed, launches of different campaigns are not.
        """
        first, second = (
            [
                [_middle(sample) for sample in self._samples(index, (a.value, b.value)[index], case)]
                for a, b, case in matched
            ]
            for index in (0, 1)
        )
        return compare_cases(first, second, rules, unit=UNIT_CAMPAIGN)

    def judge_by_control(
        self,
        matched: Sequence[tuple[Side, Side, MatchedCase]],
        control: str,
        rules: CaseRules,
    ) -> list[CaseComparison]:
        """Each case as the difference of the library to the control, which has the same state of the machine. Campaigns
        of the history that lack the case or the control do not count.
        """

        def side(side_index: int, value: object, case: MatchedCase) -> ControlledSide:
            pairs = zip(self._samples(side_index, value, case), self._samples(side_index, control, case), strict=True)
            kept = [(library, still) for library, still in pairs if side_index < 2 or (library.size and still.size)]
            return ControlledSide(tuple(library for library, _ in kept), tuple(two for _, two in kept))

        sides = [(side(0, a.value, matched_case), side(1, b.value, matched_case)) for a, b, matched_case in matched]
        history = [side(2, a.value, case) for a, _, case in matched] if self._sides[2] else None
        return through_control(
            sides, level=rules.level, adjust=rules.adjust, equivalence=rules.equivalence, history=history
        )

    def _samples(self, side_index: int, value: object, case: MatchedCase) -> tuple[FloatArray, ...]:
        """Of one case, the launch medians of each campaign of a side, without the launches that have none."""
        key = case_key(case.case, self._by)
        return tuple(
            np.array([median_s for median_s in cases.get(key, {}).values() if median_s is not None], dtype=np.float64)
            for cases in self._medians(side_index, value)
        )

    def _medians(self, side_index: int, value: object) -> tuple[Medians, ...]:
        for index, campaign in enumerate(self._sides[side_index]):
            if (side_index, index, value) not in self._known:
                self._known[side_index, index, value] = launch_medians(Side(campaign, value, ""), self._by)
        return tuple(self._known[side_index, index, value] for index in range(len(self._sides[side_index])))


def _middle(launches: FloatArray) -> float | None:
    return float(np.median(launches)) if launches.size else None
