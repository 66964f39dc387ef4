"""Patterns, GL3 to GL17, further and user rows: A(n) <= B(n). A call must not be slower than what does the same by
other calls.

A call that libictus-redirect.so makes that very B is B and a decision: enough launches always find it slower, by tens
of nanoseconds. It may be slower by a tolerance, as k calls may in split-robustness, and is violated beyond.
"""

from ictus.guidelines.measured import GuidelineMedians
from ictus.guidelines.question import Question
from ictus.guidelines.rule import Rule
from ictus.guidelines.verdict import Configuration


def questions(
    rule: Rule, place: Configuration, measured: GuidelineMedians, tolerance: float = 0.0
) -> tuple[Question, ...]:
    """A(n) against B(n) for all sizes of the left side that the right side has too, or moves the same bytes for."""
    found = []
    for left in measured.sizes(place, rule.left, rule.layout):
        right = measured.at(place, rule.right, rule.layout, left.size_bytes)
        if right is not None:
            allowance = tolerance if left.becomes == str(rule.right) else 0.0
            found.append(Question(rule, place, left.size_bytes, right.size_bytes, left, right, allowance=allowance))
    return tuple(found)
