"""The native unit tests and simulated worlds: each claim of each C++ file is a test here."""

import functools
import subprocess
from pathlib import Path

import pytest
from tests.native.trees import NATIVE, claims, plain_tree

FILES = sorted((NATIVE / "tests").glob("unit/*.cpp")) + sorted((NATIVE / "tests").glob("sim/*.cpp"))
CLAIMS = [(path, claim) for path in FILES for claim in claims(path)]
ALLOCATOR = "workload_heap"
"""Claims about the C library's allocator, which a sanitizer replaces."""
SANITISED = [path for path in FILES if path.stem != ALLOCATOR]
MANY = "TEST_IN_MANY_WORLDS"


def name(source: Path) -> str:
    """As the program knows it."""
    return f"{source.parent.name}/{source.stem}"


def ids(sources: list[Path]) -> list[str]:
    """Of tests; those of a file run on one worker (tests/conftest.py)."""
    return [name(source).replace("/", "-") for source in sources]


@functools.cache
def whole(source: Path) -> "subprocess.CompletedProcess[str]":
    """All claims of a file, in one process: the way in which they must hold."""
    return plain_tree().claims(name(source))


def check_whole(ended: "subprocess.CompletedProcess[str]", n: int) -> None:
    """So many claims were tried once, and at the end nothing is left behind: no leak, no error of a sanitizer."""
    assert (ended.returncode, ended.stdout.splitlines()[-1:]) == (0, [f"{n} passed, 0 failed"]), (
        ended.stdout + ended.stderr
    )


@pytest.mark.parametrize("source", FILES, ids=ids(FILES))
def test_the_file_ends_well(source: Path) -> None:
    """As it is measured, in all worlds."""
    check_whole(whole(source), len(claims(source)))


@pytest.mark.parametrize("source", SANITISED, ids=ids(SANITISED))
def test_the_file_ends_well_under_the_sanitizers(source: Path) -> None:
    """In few worlds: what is looked for are errors of memory and undefined behaviour."""
    few = [claim for claim in claims(source) if f"{MANY}({claim})" not in source.read_text("utf-8")]
    check_whole(plain_tree().claims("--few", name(source), sanitised=True), len(few))


@pytest.mark.parametrize(
    ("source", "claim"), CLAIMS, ids=[f"{path.parent.name}-{path.stem}-{claim}" for path, claim in CLAIMS]
)
def test_the_claim_holds(source: Path, claim: str) -> None:
    """What the C++ test of this name says, among the others of its file."""
    ended = whole(source)
    assert f"PASSED {claim}" in ended.stdout.splitlines(), ended.stdout + ended.stderr


def test_every_file_makes_claims() -> None:
    """A file whose tests are not found would pass unseen."""
    assert [path.name for path in FILES if not claims(path)] == []


def test_the_program_knows_every_claim() -> None:
    """And no other: what it lists is what the files say."""
    listed = plain_tree().claims("--list").stdout.splitlines()
    assert sorted(listed) == sorted(f"{name(source)} {claim}" for source, claim in CLAIMS)


@pytest.mark.parametrize("words", [("sim/nothing",), ("sim/ictus", "nothing")])
def test_a_claim_that_is_not_there_fails(words: tuple[str, ...]) -> None:
    """Else a name that was mistyped would pass."""
    ended = plain_tree().claims(*words)
    assert (ended.returncode, ended.stdout) == (1, "0 passed, 0 failed\n")


@pytest.mark.long
@pytest.mark.parametrize("source", SANITISED, ids=ids(SANITISED))
def test_the_file_ends_well_under_the_sanitizers_in_many_worlds(source: Path) -> None:
    """All claims, also those about rates and percentiles."""
    check_whole(plain_tree().claims(name(source), sanitised=True), len(claims(source)))


@pytest.mark.long
def test_a_hundred_thousand_synchronisations_keep_their_bounds_or_say_that_a_clock_stepped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """40,000 worlds without a step, 60,000 with one of at least twice the shortest round trip: the claims of
    sim/clock_steps.cpp, a hundred times as often.
    """
    monkeypatch.setenv("ICTUS_SYNCHRONISATIONS", "4000")
    check_whole(plain_tree().claims("sim/clock_steps"), 4)


@pytest.mark.long
def test_the_tree_of_16384_hosts_has_four_levels_and_its_bounds_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """The claims of sim/tree_arity.cpp about 256 hosts, of 16,384; those of hosts with 16 ranks stay as they are."""
    monkeypatch.setenv("ICTUS_HOSTS", "16384")
    claim = "a_bound_has_half_a_round_trip_a_level_and_the_default_has_few_levels"
    check_whole(plain_tree().claims("sim/tree_arity", claim), 1)
