"""Whether a check can decide anything, before it is measured: how many tests there will be, and how many launches
the smallest p of that family takes.
"""

from collections.abc import Iterable, Sequence

from ictus.guidelines import monotony, pattern
from ictus.guidelines.judgement import Options, launches_needed
from ictus.guidelines.measured import LaunchMedian, gather_medians
from ictus.guidelines.rule import Kind, Rule
from ictus.model.case import Case
from ictus.model.registries import Registries


def n_tests(
    rules: Iterable[Rule], cases: Sequence[Case], libraries: Iterable[tuple[str, str]], registries: Registries
) -> int:
    """Tests of a campaign with these cases, in each library and variant: every pattern and every two adjacent sizes.
    Confirmed splits come on top, and are not known yet.
    """
    places = [
        LaunchMedian(label, variant, case.case_id, 0, None) for label, variant in libraries for case in cases
    ]  # fmt: skip
    measured = gather_medians(cases, places, registries)
    asked = {Kind.MONOTONY: monotony.questions, Kind.PATTERN: pattern.questions}
    return sum(
        len(asked[rule.kind](rule, place, measured))
        for rule in rules
        if rule.kind in asked
        for place in measured.places
    )


def too_few(launches: int, tests: int, options: Options) -> str:
    """Why so few launches will decide nothing, and how many would; nothing where they may."""
    if not tests:
        return ""
    needed = launches_needed(tests, options)
    if launches >= needed:
        return ""
    return (
        f"{launches} launches cannot decide any of {tests} tests ({options.test}, {options.adjust}): "
        f"at least {needed} can; give --launches {needed}, now or later, or fewer guidelines or sizes"
    )
