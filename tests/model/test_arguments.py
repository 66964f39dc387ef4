"""arguments.txt, the plan of one launch."""

import pytest

from ictus.model.arguments import arguments_text, parse_arguments
from ictus.model.case import Case, case_table
from ictus.model.design import Slot
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries

PLAN = Plan.from_values({"clock": "tsc(frequency=nominal)", "clocksync": "none", "raw": True})


def case(case_id: int, operation: str, size: int) -> Case:
    """A case with all the other factors fixed."""
    return Case(
        case_id=case_id,
        operation=operation,
        size_bytes=size,
        block_bytes=size,
        moved_bytes=size,
        n=2,
        datatype="double",
        operator="sum",
        root="0",
        procsync="barrier(algorithm=dissemination)",
        scheme="per-call",
        repetition="fixed(nrep=1000,max_attempts=0)",
        cache="warm",
        clock="tsc(frequency=nominal)",
        clocksync="none",
        warmup=20,
    )


CASES = case_table([case(0, "bcast", 8), case(1, "bcast", 16), case(2, "barrier", 0)])
SLOT = Slot(3, 1, "mpich", 2, 42, (2, 0, 1))

TEXT = """\
# slot 3, library mpich
launch ranks=2 seed=42 heap=kept clock=tsc(frequency=nominal) clock-domain=auto clocksync=none validate=on raw=on \
block-time=5s resync-time=60s output=.
case id=2 op=barrier size=0 datatype=double operator=sum comm=world root=0 in-place=off counts=equal layout=basic \
procsync=barrier(algorithm=dissemination) scheme=per-call repetition=fixed(nrep=1000,max_attempts=0) cache=warm \
warmup=20
case id=0 op=bcast size=8 datatype=double operator=sum comm=world root=0 in-place=off counts=equal layout=basic \
procsync=barrier(algorithm=dissemination) scheme=per-call repetition=fixed(nrep=1000,max_attempts=0) cache=warm \
warmup=20
case id=1 op=bcast size=16 datatype=double operator=sum comm=world root=0 in-place=off counts=equal layout=basic \
procsync=barrier(algorithm=dissemination) scheme=per-call repetition=fixed(nrep=1000,max_attempts=0) cache=warm \
warmup=20
"""


def test_the_text_is_one_launch_line_and_the_cases_in_measuring_order() -> None:
    """Pinned whole: the core reads exactly this."""
    assert arguments_text(PLAN, SLOT, CASES) == TEXT


def test_every_key_is_one_that_the_core_describes() -> None:
    """The file is read by the same option table as the command line."""
    arguments, options = parse_arguments(TEXT), Registries.load().options
    assert set(arguments.launch) <= {option.name for option in options["launch"]}
    assert set(arguments.cases[0]) <= {option.name for option in options["case"]}


def test_it_reads_back() -> None:
    """Whoever stands in for the core gets the words by key."""
    arguments = parse_arguments(TEXT)
    assert (arguments.launch["seed"], [case["id"] for case in arguments.cases]) == ("42", ["2", "0", "1"])


@pytest.mark.parametrize("text", ["", "case id=0", "launch ranks=2\nlaunch ranks=2", "launch ranks", "start ranks=2"])
def test_other_shapes_are_refused(text: str) -> None:
    """One launch line, then cases, all of key=value words."""
    with pytest.raises(UsageError, match=r"arguments.txt"):
        parse_arguments(text)


@pytest.mark.parametrize("goal", ["clock-bound", "clock-error"])
def test_a_wanted_clock_goal_is_handed_to_the_core(goal: str) -> None:
    """Only where it was asked for: without it the algorithm's own parameters decide."""
    wanted = arguments_text(PLAN.model_copy(update={f"{goal.replace('-', '_')}_s": 1e-7}), SLOT, CASES)
    assert f"{goal}=1e-07s" in wanted
    assert goal not in arguments_text(PLAN, SLOT, CASES)
