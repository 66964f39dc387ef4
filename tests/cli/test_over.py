"""`ictus run --over` and `--campaigns`: plans, several campaigns at random times, how they go on, what is refused.
Nobody waits: the simulated launcher has its own time.
"""

import json
import shlex
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Ictus

import ictus as library
from ictus.engine.block_times import random_begin_s
from ictus.engine.event import CampaignAwaited, Event, LaunchAccepted
from ictus.engine.series import is_complete
from ictus.engine.several_campaigns import measure_several, parse_several
from ictus.launch.launchers.simulated_time import SimulatedTime
from ictus.model.errors import SeveralStopped
from ictus.store.campaign import load
from ictus.store.manifest import read_manifest

SMALL = ("-m", "mpich", "--op", "bcast", "--sizes", "8", "-n", "2", "--nrep", "10", "--launches", "3")
SIMULATED = ("--launcher", "simulated")
FIVE = ("run", *SIMULATED, *SMALL, "--campaigns", "5", "--over", "10h", "--seed", "4")


def test_a_plan_file_says_it_too_and_dry_run_shows_the_times(ictus: Ictus) -> None:
    """With a seed the times, without one their rhythm; the campaign keeps the plan."""
    Path("day.toml").write_text('mpi = "mpich"\nop = "bcast"\nsizes = "8"\nlaunches = 4\nover = "2h"\n')
    shown = ictus("run", "day.toml", *SIMULATED, "--dry-run").out
    assert "4 blocks of launches, one at a random time of each 30 min; --seed decides the times" in " ".join(
        shown.split()
    )
    begins = [random_begin_s(4, 1800.0, number) for number in range(4)]
    minutes = [f"{int(one) // 60}" for one in begins[1:]]
    shown = " ".join(ictus("run", "day.toml", *SIMULATED, "--dry-run", "--seed", "4").out.split())
    assert f"with seed 4 they begin after 0 s, {minutes[0]} min" in shown.replace("0.00 s", "0 s")
    assert ictus("run", "day.toml", *SIMULATED, "--seed", "4", "--nrep", "10").code == 0
    assert read_manifest(Path("day")).plan.over_s == 7200.0


def test_progress_off_a_terminal_says_when_the_next_block_begins(ictus: Ictus) -> None:
    """A line for each that is waited for."""
    said = ictus("run", *SIMULATED, *SMALL, "--over", "3h", "-o", "camp").err
    assert said.count("next block at ") == 2
    assert ", in " in said


def test_five_campaigns_lie_side_by_side_with_seeds_and_times_of_their_own(ictus: Ictus) -> None:
    """Each complete, the first with the seed that was given; they begin where it says, and the answer names what to do
    with them.
    """
    said = ictus(*FIVE, "-o", "old")
    assert said.code == 0, said.err
    campaigns = [load(Path(f"old-{number}")) for number in range(1, 6)]
    assert all(one.complete for one in campaigns)
    assert campaigns[0].seed == 4
    assert len({one.seed for one in campaigns}) == 5
    assert {one.plan.over_s for one in campaigns} == {None}
    begun = [datetime.fromisoformat(min(launch.started for launch in one.launches)) for one in campaigns]
    expected = [random_begin_s(4, 7200.0, index) for index in range(5)]
    assert [(one - begun[0]).total_seconds() for one in begun] == pytest.approx(expected, abs=0.01)
    assert "5 campaigns are in old-1 to old-5" in said.out
    assert "Next: ictus history old-1 old-2 old-3 old-4 old-5" in said.out
    assert "`ictus compare old-1 old-2 old-3 old-4 old-5 --against OTHER-1` compares them" in " ".join(said.out.split())
    assert said.err.count(" begins at ") == 4


def test_sides_of_five_are_compared_by_a_pattern_and_the_number_that_decides_is_told(
    ictus: Ictus, tmp_path: Path
) -> None:
    """The shell writes the folders out; five a side decide one case. 3 a side cannot, and the answer says how many."""
    (tmp_path / "slow.json").write_text(json.dumps({"factors": {"mpich": 1.3}}))
    ictus(*FIVE, "-o", "old")
    ictus(*FIVE, "--scenario", "slow.json", "-o", "new")
    sides = [sorted(str(one) for one in Path().glob(f"{name}-[0-9]")) for name in ("old", "new")]
    answer = ictus("compare", *sides[0], "--against", *sides[1], "--control", "none")
    words = " ".join(answer.out.split())
    assert "Evidence: several campaigns a side, 5 against 5; a campaign counts once." in words
    assert "faster" in words
    few = " ".join(ictus("compare", *sides[0][:3], "--against", *sides[1][:3], "--control", "none").out.split())
    assert "3 campaigns a side can never decide 1 case; at least 4 a side are needed." in few


def test_too_few_for_any_case_is_told_before_they_are_measured(ictus: Ictus) -> None:
    """Of two a side the smallest exact p-value is 1/3."""
    said = " ".join(ictus("run", *SIMULATED, *SMALL, "--campaigns", "2", "--over", "1h", "-o", "few").err.split())
    assert (
        "2 campaigns a side cannot decide the only case (rank-sum, holm): at least 4 can; give --campaigns 4, or fewer "
        "cases"
    ) in said


def test_after_an_interruption_the_missing_ones_are_measured(tmp_path: Path, ictus: Ictus) -> None:
    """Ended in the second campaign; the same request goes on with it, and all are what they would have been."""
    seen: list[Event] = []

    def observe(happened: Event, /) -> None:
        seen.append(happened)
        if isinstance(happened, LaunchAccepted) and "camp-2" in str(happened.folder):
            raise KeyboardInterrupt

    given = {"mpi": "mpich", "op": "bcast", "sizes": "8", "n": "2", "nrep": 10, "launches": 2, "over": "1h", "seed": 9}
    name = tmp_path / "camp"

    def request(values: dict[str, Any]) -> Any:
        return parse_several(None, name, values, campaigns=3, launcher="simulated", scenario=None)

    with pytest.raises(SeveralStopped, match=r"stopped: 1 of 3 campaigns .*camp-1 to .*camp-3 are complete"):
        measure_several(request(given), observe)
    del ictus
    onward = request({"over": "1h"})  # the plan is that of the first; the span is said again
    assert onward.first.plan.seed == 9
    measure_several(onward, seen.append)
    assert all(is_complete(tmp_path / f"camp-{number}") for number in (1, 2, 3))
    whole = library.run_campaigns(given, tmp_path / "again", 3, launcher="simulated", observer=library.ignore)
    assert [one.seed for one in whole] == [load(tmp_path / f"camp-{number}").seed for number in (1, 2, 3)]
    awaited = [one.folder.name for one in seen if isinstance(one, CampaignAwaited)]
    assert awaited == ["camp-2", "camp-2", "camp-3"]  # a simulated process begins its time anew


def test_ctrl_c_between_campaigns_names_the_command_that_continues(
    ictus: Ictus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It needs no plan: the first campaign has it."""

    def interrupted(_: SimulatedTime, seconds: float) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(SimulatedTime, "wait", interrupted)
        stopped = ictus(*FIVE, "-o", "old")
    assert stopped.code == 3
    said = " ".join(stopped.err.split())
    again = "ictus run --campaigns 5 --over 36000s -o old --launcher simulated"
    assert f"stopped: 1 of 5 campaigns old-1 to old-5 are complete; `{again}` continues with the rest" in said
    assert ictus(*shlex.split(again)[1:]).code == 0
    assert [load(Path(f"old-{number}")).complete for number in range(1, 6)] == [True] * 5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--campaigns", "5"), "--campaigns '5': one directly after the other they are one state of the machine; give"),
        (("--campaigns", "1", "--over", "1h"), "--campaigns '1': expected 2 to 1000"),
        (("--over", "soon"), "--over 'soon': expected a number, bare or with one of the units"),
        (("--over", "0s"), "--over '0s': must be greater than 0"),
        (("--over", "1h", "--launches", "1"), "--over '1h': one launch of each library is one block"),
    ],
)
def test_what_cannot_be_is_refused(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """Before anything is written."""
    answer = ictus("run", *SIMULATED, *SMALL, *words, "-o", "camp")
    assert (answer.code, said in " ".join(answer.err.split())) == (2, True), answer.err
    assert not list(Path().glob("camp*"))


def test_a_campaign_is_not_several(ictus: Ictus) -> None:
    """Neither as what is continued nor as their name."""
    ictus("run", *SIMULATED, *SMALL, "-o", "camp")
    several = (*SIMULATED, "--campaigns", "3", "--over", "1h")
    assert "'camp' is one campaign" in ictus("run", "camp", *several).err
    assert "-o 'camp' is one campaign" in ictus("run", *several, "-o", "camp").err


def test_dry_run_of_several_says_when_each_begins(ictus: Ictus) -> None:
    """Nothing is written."""
    shown = " ".join(ictus(*FIVE, "-o", "old", "--dry-run").out.split())
    assert "Campaigns: 5 such, each with a seed of its own; with seed 4 they begin after " in shown
    assert not list(Path().glob("old*"))
