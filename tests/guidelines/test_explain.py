"""What is said of a violation: the algorithm, the expectations, the nearest, and the other side's parts."""

from pathlib import Path

import pytest
from tests.synthetic import Scenario, write_folder

from ictus.guidelines.check.explaining import (
    explainer,
    explanation_row,
    explanation_sentences,
    selected_algorithm_of,
    short_explanation,
)
from ictus.guidelines.explain import best_s, explain, parts_of
from ictus.guidelines.hockney import Hockney
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.model.algorithm import SelectedAlgorithm
from ictus.model.member import Member
from ictus.model.registries import plug_in
from ictus.model.spec import Spec, parse_spec
from ictus.store.campaign import load

LINK = Hockney(1.7e-6, 0.0, 0.01, 5)
NOBODY = SelectedAlgorithm(None, "nowhere")


def verdict(kind: Kind, left: str, right: str, left_s: float, *, times: int = 1, n: int = 32) -> GuidelineVerdict:
    """A violation at 32 bytes."""
    rule = Rule("GL3", kind, Source.PAPER, parse_spec(left), parse_spec(right))
    return GuidelineVerdict(
        rule, Configuration("mpich", "default", n), 32, 32, times, left_s,
        20e-6, 1.5, 1.4, 1.6, 20, 1e-5, 1e-4, "***", State.VIOLATED,
    )  # fmt: skip


def test_the_papers_gather_is_linear() -> None:
    """60 us at 32 processes is nearest to p-1 receives (52.7 us), and a tree would take 8.5."""
    found = explain(verdict(Kind.PATTERN, "gather", "gather_as_allgather", 60e-6), NOBODY, LINK)
    assert found.nearest == ("linear",)
    assert found.best == ("binomial",)
    assert found.expected_s["binomial"] == pytest.approx(8.5e-6)
    assert found.right_s == pytest.approx(8.5e-6), "an allgather by doubling"


def test_with_two_processes_they_are_the_same() -> None:
    """One message: linear and binomial are expected alike, and both are named."""
    found = explain(verdict(Kind.PATTERN, "gather", "gather_as_allgather", 2e-6, n=2), NOBODY, LINK)
    assert found.nearest == ("linear", "binomial") == found.best


def test_parts_are_those_of_the_name() -> None:
    """Mock-ups, sequences and repetitions; what the model does not know has no expectation."""
    assert parts_of(parse_spec("bcast_as_scatter_and_allgather")) == ("scatter", "allgather")
    assert parts_of(parse_spec("reduce_as_reduce_scatter_block_and_gather")) == ("reduce_scatter_block", "gather")
    assert parts_of(parse_spec("scan_as_exscan_and_reduce_local")) == ("exscan",)
    assert parts_of(parse_spec("sequence(gather,bcast)")) == ("gather", "bcast")
    assert parts_of(parse_spec("gather")) == ("gather",)
    assert best_s(Spec("bcast_as_scatter_and_allgather"), LINK, 4, 64) == pytest.approx(4 * 1.7e-6)
    assert best_s(Spec("neighbor_alltoall"), LINK, 4, 64) is None


def test_k_calls_take_k_times() -> None:
    """Split-robustness; and without a ping-pong nothing is expected."""
    found = explain(verdict(Kind.SPLIT, "bcast", "bcast", 60e-6, times=3, n=8), NOBODY, LINK)
    assert found.right_s == pytest.approx(3 * 3 * 1.7e-6)
    nothing = explain(verdict(Kind.SPLIT, "bcast", "bcast", 60e-6), NOBODY, None)
    assert (dict(nothing.expected_s), nothing.nearest, nothing.right_s) == ({}, (), None)


def test_what_is_told_is_said_in_short_and_whole() -> None:
    """The algorithm with its source; else those that take as long when they are forced, else why nobody knows."""
    broken = verdict(Kind.PATTERN, "gather", "gather_as_allgather", 60e-6)
    known = explain(broken, SelectedAlgorithm("binomial", "the library's own tree"), None)
    where = "MPI_Gather of 32 B (mpich, n=32): "
    assert short_explanation(known) == f"{where}binomial, by the library's own tree."
    assert explanation_sentences(known) == (f"{where}the library takes binomial (by the library's own tree).",)
    hidden = SelectedAlgorithm(None, "a variable", "it tells nobody")
    assert short_explanation(explain(broken, hidden, None)) == f"{where}not known; it tells nobody."
    raced = explain(broken, hidden, None, {"linear": 1.01, "chain": 0.97, "ring": 1.04, "tree": 1.05})
    assert short_explanation(raced) == f"{where}linear, chain or ring, by its time."
    assert "as long as it takes linear (1.01 times), chain (0.97 times) or ring (1.04 times) and 1 more" in (
        " ".join(explanation_sentences(raced))
    )
    assert explanation_row(raced)["alike"]["ring"] == 1.04
    assert explainer([known])(broken) == (explanation_sentences(known)[0],)
    assert explainer([])(broken) == ()


def test_an_operation_of_a_plugin_is_an_algorithm_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was asked for as one of the library's, and a way to force it was named."""
    monkeypatch.setattr("ictus.model.registries._plugged", {})
    plug_in((Member("ring_bcast", "", "", (), "ring_bcast", "message", collective="ring_bcast", stands_for="bcast"),))
    campaign = load(write_folder(tmp_path / "camp", Scenario(libraries=("mpich",), sizes=(8,), launches=1)))
    found = selected_algorithm_of(campaign, verdict(Kind.PATTERN, "ring_bcast", "bcast", 60e-6))
    assert (found.algorithm, found.where) == ("ring_bcast", "its plug-in")
