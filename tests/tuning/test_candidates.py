"""What is tried for a call: what it was compared with, further mock-ups, what the library offers, up to a limit."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.model.algorithm import Algorithm, Variant
from ictus.model.library import Installation
from ictus.model.plan import LARGEST_SEED
from ictus.model.spec import parse_spec
from ictus.mpi.machine import Cores
from ictus.tuning import offers
from ictus.tuning.candidates import TuningVariant, Way, cells_of, field_of
from ictus.tuning.session import campaign_seed

PLACE = Configuration("mpich", "default", 4)


def verdict(kind: Kind, left: str, right: str, loss_s: float, state: State = State.VIOLATED) -> GuidelineVerdict:
    """At 64 bytes."""
    right_bytes = {Kind.MONOTONY: 128, Kind.SPLIT: 16, Kind.PATTERN: 64}[kind]
    times = 4 if kind is Kind.SPLIT else 1
    rule = Rule("GL", kind, Source.PAPER, parse_spec(left), parse_spec(right))
    return GuidelineVerdict(
        rule, PLACE, 64, right_bytes, times, 2e-6 + loss_s, 2e-6,
        1.5, 1.4, 1.6, 20, 1e-5, 1e-4, state,
    )  # fmt: skip


OFFERS = {
    name: TuningVariant(Way.ALGORITHM, Variant(name), Algorithm(name)) for name in ("gather=binomial", "gather=linear")
}
USABLE = ("gather", "gather_as_allgather", "gather_as_reduce", "bcast_as_scatter_and_allgather")


def test_what_costs_most_comes_first_and_kept_guidelines_are_no_cells() -> None:
    """One cell for each call, with all guidelines that it breaks."""
    found = cells_of(
        [
            verdict(Kind.PATTERN, "gather", "gather_as_allgather", 1e-6),
            verdict(Kind.PATTERN, "scatter", "scatter_as_bcast", 5e-6),
            verdict(Kind.MONOTONY, "gather", "gather", 2e-6),
            verdict(Kind.PATTERN, "bcast", "bcast_as_scatter_and_allgather", 9e-6, State.HOLDS),
        ]
    )
    assert [(cell.operation.name, len(own)) for cell, own in found.items()] == [("scatter", 1), ("gather", 2)]


def test_what_is_no_substitute_in_programs_is_not_raced() -> None:
    """A linear broadcast, whose messages could meet the program's."""
    own = [verdict(Kind.MONOTONY, "bcast", "bcast", 1e-6)]
    (cell,) = cells_of(own)
    found = field_of(cell, own, {}, ("bcast_as_scatter_and_allgather", "bcast_as_sends"))
    raced = [str(one.operation) for one in found.candidates if one.way.value == "mock-up"]
    assert raced == ["bcast_as_scatter_and_allgather"]


def test_every_way_of_a_cell() -> None:
    """Padding of monotony, parts of splitting, mock-ups (no other operation's), algorithms."""
    own = [
        verdict(Kind.MONOTONY, "gather", "gather", 1e-6),
        verdict(Kind.SPLIT, "gather", "gather", 1e-6),
        verdict(Kind.PATTERN, "gather", "gather_as_allgather", 1e-6),
        verdict(Kind.PATTERN, "gather", "gatherv", 1e-6),
    ]
    (cell,) = cells_of(own)
    found = field_of(cell, own, OFFERS, USABLE)
    assert [(one.way.value, str(one.operation), one.size_bytes, one.variant) for one in found.candidates] == [
        ("original", "gather", 64, "default"),
        ("padding", "gather", 128, "default"),
        ("splitting", "repeated(operation=gather,times=4)", 16, "default"),
        ("mock-up", "gather_as_allgather", 64, "default"),
        ("mock-up", "gather_as_reduce", 64, "default"),
        ("algorithm", "gather", 64, "gather=binomial"),
        ("algorithm", "gather", 64, "gather=linear"),
    ]
    assert set(found.variants) == {"gather=binomial", "gather=linear"}
    short = field_of(cell, own, OFFERS, USABLE, limit=6)
    assert (len(short.candidates), short.left_out) == (6, ("gather=linear",))
    assert set(short.variants) == {"gather=binomial"}


def test_campaigns_whose_names_are_anagrams_have_seeds_of_their_own() -> None:
    """Each in the range of a plan's seeds, and the same each time."""
    names = ("race/02-gather", "race/20-gather", "gather/race-02")
    seeds = {campaign_seed(LARGEST_SEED, name) for name in names}
    assert len(seeds) == len(names)
    assert all(0 <= seed <= LARGEST_SEED for seed in seeds)
    assert seeds == {campaign_seed(LARGEST_SEED, name) for name in names}


@pytest.mark.parametrize("name", ["mpich", "openmpi"])
def test_no_placement_is_tried_where_cores_are_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """In a container or a job with some of the machine's cores, further words for a placement would leave them: MPICH
    goes to the machine's first cores, and Open MPI 5 refuses.
    """
    library = Installation(name, name, "5.0", Path("/mpi/mpicxx"), Path("/mpi/mpiexec"))
    made: dict[str, Any] = {
        "backend": SimpleNamespace(installations=(library,), offers=lambda: {name: {}}, reference_cvars={})
    }
    monkeypatch.setattr(offers.Libraries, "forced", lambda *_: ())
    libraries = offers.Libraries(**made, check=cast("Any", SimpleNamespace(launches=())))

    def tried(*, restricted: bool) -> bool:
        monkeypatch.setattr(offers, "usable_cores", lambda: Cores((4, 5), 2, restricted=restricted))
        return Way.PLACEMENT in {one.way for one in libraries.offers(name, "bcast").values()}

    assert (tried(restricted=False), tried(restricted=True)) == (True, False)
