"""Monotony, GL1: A(n) <= A(n + k). Moving more must not take less time.

Each two adjacent sizes are tested. Sizes that move the same bytes are one (model/case.py), so that no size is held
against itself.
"""

from itertools import pairwise

from ictus.guidelines.measured import GuidelineMedians
from ictus.guidelines.question import Question
from ictus.guidelines.rule import Rule
from ictus.guidelines.verdict import Configuration


def questions(rule: Rule, place: Configuration, measured: GuidelineMedians) -> tuple[Question, ...]:
    """A(m_i) against A(m_j), for all adjacent sizes m_i < m_j."""
    sizes = measured.sizes(place, rule.left, rule.layout)
    return tuple(
        Question(rule, place, small.size_bytes, large.size_bytes, small, large) for small, large in pairwise(sizes)
    )
