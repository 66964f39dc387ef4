"""How many tests a check will have, and whether its launches can decide any."""

from ictus.guidelines.judgement import Options, n_tests, too_few
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.model.case import expand
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.model.spec import Spec

REGISTRIES = Registries.load()


def test_tests_are_counted_as_they_will_be() -> None:
    """Two places of two libraries; at 4 processes 1 and 2 B of gather are one size: 3 patterns there and 4 of bcast."""
    rules = (
        Rule("GL1", Kind.MONOTONY, Source.PAPER, Spec("bcast"), Spec("bcast")),
        Rule("GL2", Kind.SPLIT, Source.PAPER, Spec("bcast"), Spec("bcast")),
        Rule("GL3", Kind.PATTERN, Source.PAPER, Spec("gather"), Spec("gather_as_allgather")),
    )
    values = {"op": "bcast,gather,gather_as_allgather", "sizes": "1,2,8,64", "n": [4], "datatype": "byte"}
    cases = expand(Plan.from_values(values).checked(REGISTRIES), REGISTRIES).cases
    assert n_tests(rules, cases, [("mpich", "default"), ("openmpi", "default")], REGISTRIES) == 2 * (3 + 3)


def test_too_few_launches_are_known_before() -> None:
    """By Holm over 12 tests the smallest p must be at most 0.05 / 12: 2^-8 is."""
    assert too_few(8, 12, Options()) == ""
    assert "7 launches cannot decide any of 12 tests" in too_few(7, 12, Options())
    assert "give --launches 8" in too_few(7, 12, Options())
    assert too_few(1, 0, Options()) == ""
