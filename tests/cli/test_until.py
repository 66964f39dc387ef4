"""`ictus run --until` over the simulated launcher: what is said before and after, in a plan, on every reading command,
and what is refused.
"""

import json
from pathlib import Path

import pytest
from tests.command_line import Answer, Ictus

WORLD = {
    "startup_s": 20e-6,
    "factors": {"mpich": 1.0, "openmpi": 1.12},
    "launch_spread": 0.01,
    "case_spreads": {"bcast:64": 0.06},
    "noise": 0.05,
    "launch_s": 1.0,
}
PLAN = """
mpi = "mpich,openmpi"
op = "bcast"
sizes = "64,4Ki"
n = 2
launches = 7
nrep = 100
seed = 7
"""


def run(ictus: Ictus, more: str, *words: str, factor: float = 1.12) -> Answer:
    """Run the plan with more lines in it; Open MPI is slower by a factor."""
    Path("world.json").write_text(json.dumps({**WORLD, "factors": {"mpich": 1.0, "openmpi": factor}}))
    Path("plan.toml").write_text(PLAN + more)
    return ictus("run", "plan.toml", "--launcher", "simulated", "--scenario", "world.json", *words)


def test_a_goal_that_is_reached_is_said_so_everywhere(ictus: Ictus) -> None:
    """Forecast after the pilot and after the least launches; then the result, on run, show, compare and the page."""
    answer = run(ictus, 'until = "5 %"\n')
    assert answer.code == 0, answer.err
    assert "a first guess by 3 launches of each library, the goal of median 5 % takes about " in answer.err
    assert "\nby 7 launches of each library, the goal of median 5 % takes about " in answer.err
    reached = "Precision goal, 5 % of each case's median (half of the 95 % interval): reached in all 4, after 7 to "
    assert reached in answer.out
    assert "an interval of 95 % is promised to hold the true value in 93 % of campaigns." in " ".join(
        answer.out.split()
    )
    shown = " ".join(ictus("show", "plan").out.split())
    assert reached in shown
    goal = json.loads(ictus("show", "plan", "--json").out)["goal"]
    assert {key: goal[key] for key in ("quantity", "share", "ended", "reached", "time_budget_s")} == {
        "quantity": "median",
        "share": 0.05,
        "ended": "goal",
        "reached": True,
        "time_budget_s": None,
    }
    assert all(row["half_width"] <= 0.05 for row in goal["rows"])
    assert max(row["launches"] for row in goal["rows"] if row["case"]["size_bytes"] == 64) > 14
    assert {row["launches"] for row in goal["rows"] if row["case"]["size_bytes"] == 4096} == {7}
    compared = ictus("compare", "plan")
    assert compared.err == ""
    assert reached in " ".join(compared.out.split())
    assert ictus("report", "plan").code == 0
    page = Path("plan/report.html").read_text("utf-8")
    assert 'id="goal"' in page
    assert page.count(">reached</td>") == 4
    for reader in ("diagnose", "nrep"):
        assert ictus(reader, "plan").code == 0


def test_where_the_budget_ended_it_is_said_what_was_reached(ictus: Ictus) -> None:
    """By the widest intervals first; options win over the plan, and on the folder alone nothing more is measured."""
    answer = run(ictus, 'until = 0.05\ntime-budget = "20min"\n', "--until", "ratio 0.5%", "--time-budget", "0.5min")
    assert answer.code == 0, answer.err
    assert "of the budget 24 s are left, enough for about " in answer.err
    said = answer.out
    assert (
        "Precision goal, 0.5 % of each ratio (half of the 95 % interval): reached in 0 of 2, budget of 30 s ended."
        in said
    )
    assert "Not reached: mpich / openmpi MPI_Bcast 64 B n=2 " in said
    assert "promised to hold" not in said
    launches = len(list(Path("plan/launches").iterdir()))
    assert f"% after {launches // 2} launches, mpich / openmpi MPI_Bcast 4 KiB n=2 " in said
    again = ictus("run", "plan", "--launcher", "simulated", "--scenario", "world.json")
    assert (again.code, len(list(Path("plan/launches").iterdir()))) == (0, launches)
    longer = ictus("run", "plan", "--time-budget", "1min", "--launcher", "simulated", "--scenario", "world.json")
    assert (longer.code, len(list(Path("plan/launches").iterdir())) > launches) == (0, True)


def test_verdicts_are_sought_said_and_read_again(ictus: Ictus) -> None:
    """Looks while it runs; then what is decided, on run, show, compare and the page; what is open goes on by the
    command that is printed.
    """
    answer = run(ictus, 'until = "decided within 3 %"\n', "--launches", "16", factor=1.04)
    assert answer.code == 0, answer.err
    assert "look at 6 launches of each library: " in answer.err
    assert " of 2 decided" in answer.err
    said = " ".join(answer.out.split())
    assert "Goal, every comparison decided or the same within 3 %: 1 of 2 decided, after " in said
    assert "Not decided by the most launches that were allowed: mpich / openmpi MPI_Bcast 64 B n=2." in said
    assert "The chance of any false alarm is at most 5 % over all looks together, however many follow." in said
    shown = json.loads(ictus("show", "plan", "--json").out)["goal"]
    assert {key: shown[key] for key in ("quantity", "share", "by", "ended", "reached")} == {
        "quantity": "decided",
        "share": 0.03,
        "by": "mpi",
        "ended": "launches",
        "reached": False,
    }
    compared = json.loads(ictus("compare", "plan", "--json").out)
    assert compared["equivalence"] == 0.03
    assert compared["onward"].startswith("ictus run plan --launches ")
    assert ictus("report", "plan").code == 0
    assert "Verdicts sought" in Path("plan/report.html").read_text("utf-8")
    onward = compared["onward"].split()[1:]
    more = ictus(*onward, "--launcher", "simulated", "--scenario", "world.json")
    assert more.code == 0, more.err
    assert len(list(Path("plan/launches").iterdir())) > 32


def test_a_campaign_is_extended_to_its_next_look(ictus: Ictus) -> None:
    """`run` reserved error for it; another number names the look. A plan of another campaign begins a new one."""
    world = ("--launcher", "simulated", "--scenario", "world.json")
    assert run(ictus, "", factor=1.04).code == 0
    refused = ictus("run", "plan", "--launches", "9", *world)
    assert refused.code == 2
    assert "launches '9': 'plan' grows in steps, and the next is 14 launches;" in (" ".join(refused.err.split()))
    assert ictus("run", "plan", "--launches", "14", *world).code == 0
    assert len(list(Path("plan/launches").iterdir())) == 28
    said = " ".join(ictus("compare", "plan").out.split())
    assert "Compared at " in said
    copied = ictus("run", "plan/campaign.json", "--launches", "3", "-o", "again", *world)
    assert copied.code == 0, copied.err
    there, here = (json.loads(Path(one, "campaign.json").read_text()) for one in ("plan", "again"))
    assert {key for key in there["plan"] if there["plan"][key] != here["plan"][key]} == {"launches", "seed"}


def test_two_campaigns_that_grew_are_not_judged_at_looks(ictus: Ictus) -> None:
    """Apart nothing is judged; through a control a campaign counts once, with all of its launches."""
    for name in ("one", "two"):
        assert run(ictus, "", "--launches", "7", "-o", name).code == 0
    assert run(ictus, "", "--launches", "14", "-o", "one").code == 0
    through = json.loads(ictus("compare", "one", "two", "--json").out)
    assert through["evidence"]["control"] == "openmpi"
    assert {(row["n_a"], row["n_b"], row["look_launches"]) for row in through["rows"]} == {(14, 7, None)}
    apart = json.loads(ictus("compare", "one", "two", "mpich", "openmpi", "--json").out)
    assert {(row["verdict"], row["look_launches"]) for row in apart["rows"]} == {("apart", None)}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--until", "nothing"),
            "--until 'nothing': expected a share such as '1 %' or 0.01 of each case's median",
        ),
        (("--until", "mean 2%"), "--until 'mean 2%': 'mean' is none of median, ratio"),
        (("--until", "3"), "--until '3': write 3 % for 0.03"),
        (("--until", "0 %"), "a goal is more than 0 % and less than 100 %"),
        (("--time-budget", "10min"), "--time-budget '10min': a time budget ends the search for a precision goal"),
        (
            ("--until", "1%", "--time-budget", "soon"),
            "--time-budget 'soon': expected a number, bare or with one of the units ns",
        ),
        (("--until", "1%", "--time-budget", "0s"), "--time-budget '0s': must be greater than 0"),
        (("-m", "mpich", "--until", "ratio 1%"), "until 'ratio 1 %': there is no ratio of mpich alone; name two"),
        (("--until", "1% by procsync"), "'by procsync' belongs to a ratio: 'ratio 1% by procsync'"),
        (("--until", "ratio 1% by cache"), "until 'ratio 1 % by cache': no two cases differ in cache alone"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_measured(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """Naming the option, the value and what is allowed; no folder is left."""
    answer = run(ictus, "", *words)
    assert answer.code == 2
    assert said in answer.err
    assert not Path("plan").exists()


def test_of_a_goal_that_is_refused_the_budget_does_not_say_that_it_is_missing(ictus: Ictus) -> None:
    """One mistake, one message."""
    answer = ictus("run", "-m", "mpich", "--until", "nan %", "--time-budget", "5s", "--launcher", "simulated")
    assert answer.code == 2
    assert "--until 'nan %'" in answer.err
    assert "give until too" not in answer.err
