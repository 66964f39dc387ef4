"""What the check finds with remedies in force, and which of them have to answer for it."""

from dataclasses import replace

from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.model.spec import Spec, parse_spec
from ictus.tuning.candidates import Candidate, TuningCell, Way
from ictus.tuning.outcome import Remedy, Result
from ictus.tuning.side_effects import blamed, remaining

PLACE = Configuration("mpich", "default", 4)


def verdict(left: str, right: str, size: int, state: State) -> GuidelineVerdict:
    """Of a pattern."""
    rule = Rule(f"{left}-{right}", Kind.PATTERN, Source.PAPER, parse_spec(left), parse_spec(right))
    return GuidelineVerdict(rule, PLACE, size, size, 1, 3e-6, 2e-6, 1.5, 1.4, 1.6, 20, 1e-5, 1e-4, state)


MENDED = [verdict("bcast", "bcast_as_scatter_and_allgather", size, State.VIOLATED) for size in (64, 1024)]
OTHER = verdict("gather", "gather_as_allgather", 64, State.HOLDS)


def remedy(broken: GuidelineVerdict, way: Way = Way.ALGORITHM) -> Remedy:
    """Of what breaks it."""
    operation, size = broken.rule.left, broken.size_bytes
    return Remedy(TuningCell(PLACE, operation, size), Candidate(way, "x", operation, size, "x"), (broken,))


REMEDIES = [remedy(one) for one in MENDED]


def test_what_is_clean_is_blamed_for_nothing() -> None:
    """Neither is what was violated before, and is not to be mended."""
    before = [*MENDED, replace(OTHER, state=State.VIOLATED)]
    after = [*(replace(one, state=State.HOLDS) for one in MENDED), replace(OTHER, state=State.VIOLATED)]
    assert blamed(REMEDIES, before, after) == {}


def test_what_is_still_violated_or_not_decided_is_dropped_alone() -> None:
    """The other size stays."""
    for state, said in ((State.VIOLATED, "ratio 1.500"), (State.CANNOT_DECIDE, "could not be decided")):
        after = [replace(MENDED[0], state=state), replace(MENDED[1], state=State.HOLDS)]
        found = blamed(REMEDIES, MENDED, after)
        assert list(found) == REMEDIES[:1]
        assert found[REMEDIES[0]][0] is Result.STILL_VIOLATED
        assert said in found[REMEDIES[0]][1]
    assert list(blamed(REMEDIES, MENDED, [replace(MENDED[1], state=State.HOLDS)])) == REMEDIES[:1], "never asked"


def test_what_is_newly_violated_is_blamed_on_what_is_about_it() -> None:
    """A guideline of the remedied operation: the remedy of that size. One of another operation: only what holds for the
    whole program.
    """
    clean = [replace(one, state=State.HOLDS) for one in MENDED]
    new = verdict("reduce", "bcast", 1024, State.VIOLATED)
    assert blamed(REMEDIES, MENDED, [*clean, new]) == {REMEDIES[1]: (Result.BREAKS, "reduce-bcast at 1 KiB")}
    elsewhere = replace(OTHER, state=State.VIOLATED)
    assert blamed(REMEDIES, MENDED, [*clean, elsewhere]) == {}
    setting = remedy(MENDED[0], Way.SETTING)
    found = blamed([setting, REMEDIES[1]], [*MENDED, OTHER], [*clean, elsewhere])
    assert {one: result for one, (result, _) in found.items()} == {setting: Result.BREAKS}


def test_still_violated_is_the_reason_that_is_told() -> None:
    """Also where something else is newly violated."""
    new = verdict("reduce", "bcast", 64, State.VIOLATED)
    found = blamed(REMEDIES[:1], MENDED, [MENDED[0], new])
    assert found[REMEDIES[0]][0] is Result.STILL_VIOLATED


def test_a_split_is_mended_where_it_is_refuted_whatever_its_parts() -> None:
    """Of 2 x 32 B before, of 4 x 16 B now. Monotony is another question with each next size."""
    rule = Rule("GL2", Kind.SPLIT, Source.PAPER, Spec("bcast"), Spec("bcast"))
    broken = replace(MENDED[0], rule=rule, right_size_bytes=32, times=2)
    now = replace(broken, right_size_bytes=16, times=4, state=State.REFUTED)
    assert blamed([remedy(broken)], [broken], [now]) == {}
    rising = replace(MENDED[0], rule=replace(rule, name="GL1", kind=Kind.MONOTONY), right_size_bytes=128)
    other = replace(rising, right_size_bytes=256, state=State.HOLDS)
    assert list(blamed([remedy(rising)], [rising], [other])) == [remedy(rising)], "128 B was never asked about"


def test_other_numbers_of_processes_are_other_questions() -> None:
    """What was violated with 4 processes is new with 8."""
    clean = [replace(one, state=State.HOLDS) for one in MENDED]
    eight = replace(MENDED[0], place=replace(PLACE, n=8))
    new = (Result.BREAKS, f"{eight.rule.name} at 64 B")
    assert blamed(REMEDIES, MENDED, [*clean, eight]) == {REMEDIES[0]: new}


def test_the_other_side_of_monotony_is_blamed_too() -> None:
    """The call of 64 B is slower than that of 1 KiB, whose remedy made it fast."""
    clean = [replace(one, state=State.HOLDS) for one in MENDED]
    rule = Rule("GL1", Kind.MONOTONY, Source.PAPER, Spec("bcast"), Spec("bcast"))
    new = replace(MENDED[0], rule=rule, size_bytes=512, right_size_bytes=1024)
    assert list(blamed(REMEDIES, MENDED, [*clean, new])) == REMEDIES[1:]


def test_what_a_mock_up_calls_is_one_of_its_operations() -> None:
    """An allgather that is slower than gather and bcast now, for the bcast is faster. A setting of that size has to
    answer no more than an algorithm of another size.
    """
    clean = [replace(one, state=State.HOLDS) for one in MENDED]
    new = verdict("allgather", "allgather_as_gather_and_bcast", 64, State.VIOLATED)
    assert list(blamed(REMEDIES, MENDED, [*clean, new])) == REMEDIES[:1]
    both = [remedy(MENDED[0], Way.SETTING), REMEDIES[1]]
    assert list(blamed(both, MENDED, [*clean, new])) == both


def test_what_the_library_violates_by_itself_drops_no_removal_and_is_told() -> None:
    """On Open MPI a forced bcast in segments of 64 B took 186 us, and 4.16 us without the variable. The mock-up took
    4.12 us, so that the remedy was dropped, and nothing was advised.
    """
    removal = remedy(MENDED[0], Way.REMOVAL)
    new = replace(OTHER, state=State.VIOLATED)
    eight = replace(new, place=replace(PLACE, n=8))
    after = [replace(MENDED[0], ratio=1.008), new, eight]
    assert blamed([removal], [*MENDED, OTHER], after) == {}
    said = f"{MENDED[0].rule.name} at 64 B, ratio 1.008; {new.rule.name} at 64 B, ratio 1.500"
    assert remaining([removal, REMEDIES[0]], after) == {removal: f"the library's own choice violates {said}"}
    many = remaining([removal], [replace(new, size_bytes=size) for size in (1, 2, 4, 8, 16)])
    assert many[removal].endswith("gather-gather_as_allgather at 4 B, ratio 1.500; and 2 more")
    assert remaining([removal], [replace(MENDED[0], state=State.HOLDS)]) == {}
