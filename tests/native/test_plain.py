"""The native unit tests and simulated worlds: each claim of each C++ file is a test here."""

import functools
import subprocess
from pathlib import Path

import pytest
from tests.native.trees import NATIVE, claims, plain_tree

FILES = sorted((NATIVE / "tests").glob("unit/*.cpp")) + sorted((NATIVE / "tests").glob("sim/*.cpp"))
CLAIMS = [(path, claim) for path in FILES for claim in claims(path)]


def run(source: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """The program of a file, under the sanitizers; that of the C library's allocator, which they replace, without."""
    program = plain_tree().program(source.parent.name, source.stem)
    return subprocess.run((program, *words), check=False, capture_output=True, text=True, timeout=300)


@functools.cache
def whole(source: Path) -> "subprocess.CompletedProcess[str]":
    """All claims of a file, in one process: the way in which they must hold."""
    return run(source)


IDS = [f"{path.parent.name}-{path.stem}" for path in FILES]


@pytest.mark.parametrize("source", FILES, ids=IDS)
def test_the_file_ends_well(source: Path) -> None:
    """Every claim was tried once, and at its end nothing is left behind: no leak, no error of a sanitizer."""
    ended = whole(source)
    assert (ended.returncode, ended.stdout.splitlines()[-1:]) == (0, [f"{len(claims(source))} passed, 0 failed"]), (
        ended.stdout + ended.stderr
    )


@pytest.mark.parametrize(
    ("source", "claim"), CLAIMS, ids=[f"{path.parent.name}-{path.stem}-{claim}" for path, claim in CLAIMS]
)
def test_the_claim_holds(source: Path, claim: str) -> None:
    """What the C++ test of this name says, under the sanitizers, among the others of its file."""
    ended = whole(source)
    assert f"PASSED {claim}" in ended.stdout.splitlines(), ended.stdout + ended.stderr


def test_every_file_makes_claims() -> None:
    """A file whose tests are not found would pass unseen."""
    assert [path.name for path in FILES if not claims(path)] == []


THOROUGH = [path for path in FILES if "thorough()" in path.read_text("utf-8")]
"""Whose claims are tried in few worlds unless ICTUS_THOROUGH is set."""


@pytest.mark.long
@pytest.mark.parametrize("source", THOROUGH, ids=[path.stem for path in THOROUGH])
def test_the_claims_hold_in_many_worlds(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a file that knows more worlds than `make test` has time for, in all of them."""
    monkeypatch.setenv("ICTUS_THOROUGH", "1")
    ended = run(source)
    assert (ended.returncode, ended.stdout.splitlines()[-1:]) == (0, [f"{len(claims(source))} passed, 0 failed"]), (
        ended.stdout + ended.stderr
    )


@pytest.mark.long
def test_a_hundred_thousand_synchronisations_keep_their_bounds_or_say_that_a_clock_stepped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """40,000 worlds without a step, 60,000 with one of at least twice the shortest round trip: the claims of
    sim/clock_steps.cpp, a hundred times as often.
    """
    monkeypatch.setenv("ICTUS_SYNCHRONISATIONS", "4000")
    program = plain_tree().program("sim", "clock_steps")
    ended = subprocess.run((program,), check=False, capture_output=True, text=True, timeout=3600)
    assert (ended.returncode, ended.stdout.splitlines()[-1:]) == (0, ["3 passed, 0 failed"]), ended.stdout


@pytest.mark.long
def test_the_tree_of_16384_hosts_has_four_levels_and_its_bounds_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """The claims of sim/tree_arity.cpp about 256 hosts, of 16,384; those of hosts with 16 ranks stay as they are."""
    monkeypatch.setenv("ICTUS_HOSTS", "16384")
    claim = "a_bound_has_half_a_round_trip_a_level_and_the_default_has_few_levels"
    program = plain_tree().program("sim", "tree_arity")
    ended = subprocess.run((program, claim), check=False, capture_output=True, text=True, timeout=3600)
    assert (ended.returncode, ended.stdout.splitlines()[-1:]) == (0, ["1 passed, 0 failed"]), ended.stdout
