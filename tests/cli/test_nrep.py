"""`ictus nrep` and `ictus run --nrep` over the simulated launcher: whole texts, counts recomputed, what is refused."""

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.conftest import check_golden
from tests.command_line import Answer, Ictus

from ictus.model.sample import SAMPLE
from ictus.stats.nrep import NrepRule, predict
from ictus.stats.summary import inside

WORLD = {
    "factors": {"mpich": 1.0, "openmpi": 1.12},
    "launch_spread": 0.04,
    "noise": 0.2,
    "late_share": 0.02,
    "bandwidth": 4e9,
}
CASES = ("--op", "bcast,allreduce", "--sizes", "8,32Ki", "-n", "2", "--seed", "7")


def ictus_in(ictus: Ictus, world: dict[str, Any], *words: str) -> Answer:
    """A command that measures two simulated libraries in that world."""
    Path("world.json").write_text(json.dumps(world))
    return ictus(*words, "--launcher", "simulated", "--scenario", "world.json", "-m", "mpich", "-m", "openmpi", *CASES)


def counts_of(folder: Path) -> dict[int, set[str]]:
    """By case: the repetitions that the launches of a campaign were really asked for, in arguments.txt."""
    found: dict[int, set[str]] = {}
    for path in folder.glob("launches/*/arguments.txt"):
        for line in path.read_text().splitlines():
            words = dict(word.partition("=")[::2] for word in line.split())
            if line.startswith("case "):
                found.setdefault(int(words["id"]), set()).add(words["repetition"])
    return found


@pytest.mark.figures
def test_every_case_gets_the_largest_count_of_three_launches(ictus: Ictus) -> None:
    """The table whole; each launch's count is that of its recorded samples, computed here; the page has a figure for
    each row.
    """
    answer = ictus_in(ictus, WORLD, "nrep", "-o", "pred")
    assert answer.code == 0, answer.err
    check_golden("nrep.txt", answer.out)
    rows = json.loads(ictus("nrep", "pred", "--json").out)["rows"]
    assert len(rows) == 2 * 2 * 2
    names = {"mpich": set(), "openmpi": set()}  # type: dict[str, set[int]]
    cases = json.loads((Path("pred") / "campaign.json").read_text())["cases"]
    for row in rows:
        (case_id,) = (
            case["case_id"]
            for case in cases
            if all(case[key] == row["case"][key] for key in ("operation", "size_bytes"))
        )
        expected, medians = [], []
        for launch in row["launches"]:
            samples = np.load(Path("pred") / "launches" / f"{launch['slot']:04d}-{row['mpi']}" / "samples.npy")
            assert samples.dtype == SAMPLE
            own = samples[(samples["case_id"] == case_id) & (samples["flags"] == 0)]["makespan"]
            expected.append(predict(own, NrepRule({"rse": 0.025, "cov_mean": 0.01})).nrep)
            cut = own[: row["nrep"]]
            medians.append(np.median(cut[inside(cut)]))
            names[row["mpi"]].add(launch["slot"])
        assert [launch["nrep"] for launch in row["launches"]] == expected
        assert row["nrep"] == max(expected)
        assert row["spread"] == pytest.approx(np.std(medians, ddof=1) / np.mean(medians), rel=1e-12)
    assert [len(slots) for slots in names.values()] == [3, 3]
    assert (Path("pred") / "nrep.html").read_text("utf-8").count('role="img"') == len(rows)


def test_metrics_thresholds_and_windows_are_the_users(ictus: Ictus) -> None:
    """Without noise all is enough at the first look, with narrow thresholds nothing ever is: not converged, at max."""
    quiet = ictus_in(ictus, {**WORLD, "noise": 0.0}, "nrep", "--min", "12", "--metrics", "rse", "-o", "quiet", "--json")
    assert {row["nrep"] for row in json.loads(quiet.out)["rows"]} == {12}
    words = ("--metrics", "cov_median=0.000001,rse=0.02", "--max", "60", "--median-window", "7", "-o", "never")
    never = ictus_in(ictus, WORLD, "nrep", *words)
    assert never.code == 0, never.err
    check_golden("nrep_not_converged.txt", never.out)
    rows = json.loads(ictus("nrep", "never", "--json").out)
    assert "cov_median=0.000001" in rows["repetition"]
    assert "median_window=7" in rows["repetition"]
    assert {(row["nrep"], row["converged"]) for row in rows["rows"]} == {(60, False)}
    ended = ("--metrics", "rse=0.000001")
    cut = json.loads(ictus("nrep", "never", *ended, "--json").out)
    assert {(row["samples_end"], row["converged"]) for row in cut["rows"]} == {(True, False)}
    said = " ".join(ictus("nrep", "never", *ended).out.split())
    assert ">60 >60" in said
    assert "need more than the samples that there are (60 at most in a launch): how many, only a longer" in said
    assert " repetitions each" not in said
    assert "--max allows more" not in said
    assert "looked at after 20, 30 valid samples." in " ".join(ictus("nrep", "never", "--max", "30").out.split())
    again = json.loads(ictus("nrep", "never", "--metrics", "rse=0.5", "--json").out)
    assert {(row["nrep"], row["converged"]) for row in again["rows"]} == {(20, True)}


@pytest.mark.long
def test_a_campaign_takes_each_case_as_often_as_was_predicted(ictus: Ictus) -> None:
    """The largest count of both libraries for each case; all cases compare, also with other counts; it is resumed as
    what it was begun as.
    """
    ictus_in(ictus, WORLD, "nrep", "-o", "pred")
    rows = json.loads(ictus("nrep", "pred", "--json").out)["rows"]
    largest: dict[tuple[str, int], int] = {}
    for row in rows:
        key = (row["case"]["operation"], row["case"]["size_bytes"])
        largest[key] = max(row["nrep"], largest.get(key, 0))
    assert len(set(largest.values())) > 1, "cases that all need the same would show nothing"
    answer = ictus_in(ictus, WORLD, "run", "--nrep", "pred", "--launches", "4", "-o", "camp")
    assert answer.code == 0, answer.err
    campaign = json.loads((Path("camp") / "campaign.json").read_text())
    asked = counts_of(Path("camp"))
    for case in campaign["cases"]:
        count = largest[case["operation"], case["size_bytes"]]
        assert case["repetition"] == f"fixed(nrep={count},max_attempts=auto)"
        assert asked[case["case_id"]] == {case["repetition"]}
    shown = json.loads(ictus("show", "camp", "--json").out)["rows"]
    assert {(row["case"]["operation"], row["case"]["size_bytes"], row["valid"]) for row in shown} == {
        (*key, 4 * count) for key, count in largest.items()
    }
    assert len(json.loads(ictus("compare", "camp", "--json").out)["rows"]) == 4
    assert "repetition" not in ictus("show", "camp").out
    again = ictus_in(ictus, WORLD, "run", "--nrep", "pred", "--launches", "4", "-o", "camp")
    assert again.code == 0, again.err
    ictus_in(ictus, {**WORLD, "noise": 0.3}, "nrep", "-o", "other")
    other = ictus_in(ictus, WORLD, "run", "--nrep", "other", "--launches", "4", "-o", "camp")
    assert other.code == 2
    assert "predicted: 4 counts from" in " ".join(other.err.split())


def test_starts_with_different_counts_still_compare(ictus: Ictus) -> None:
    """--by procsync: each start has a count of its own, which is no difference in what is measured."""
    starts = ("--procsync", "window,barrier")
    ictus_in(ictus, {**WORLD, "noise": 0.3}, "nrep", *starts, "-o", "pred")
    answer = ictus_in(ictus, WORLD, "run", *starts, "--nrep", "pred", "--launches", "4", "-o", "camp")
    assert answer.code == 0, answer.err
    cases = json.loads((Path("camp") / "campaign.json").read_text())["cases"]
    counts = {(one["operation"], one["size_bytes"]): set() for one in cases}  # type: dict[tuple[str, int], set[str]]
    for one in cases:
        counts[one["operation"], one["size_bytes"]].add(one["repetition"])
    assert any(len(found) == 2 for found in counts.values()), "equal counts would show nothing"
    compared = ictus("compare", "camp", "--by", "procsync", "--json")
    assert len(json.loads(compared.out)["rows"]) == 2 * 4


def test_auto_predicts_and_measures_in_one_go(ictus: Ictus) -> None:
    """The prediction is kept inside the campaign's folder; the same command continues both."""
    words = ("run", "--nrep", "auto(max=300,launches=2)", "--launches", "3", "-o", "camp")
    answer = ictus_in(ictus, WORLD, *words)
    assert answer.code == 0, answer.err
    assert len(list((Path("camp") / "nrep" / "launches").iterdir())) == 4
    plan = json.loads((Path("camp") / "campaign.json").read_text())["plan"]
    assert plan["nrep"] == "auto(max=300,launches=2)"
    assert len(plan["predicted"]) == 4
    again = ictus_in(ictus, WORLD, *words)
    assert again.code == 0, again.err
    assert "6 of 6 launches are there" in again.err


def test_a_prediction_has_launches_of_its_own_where_the_campaign_has_a_goal(ictus: Ictus) -> None:
    """It ends with its two launches of each library; the campaign goes on until its verdicts are known."""
    words = ("run", "--nrep", "auto(max=300,launches=2)", "--until", "decided", "--launches", "8", "-o", "camp")
    answer = ictus_in(ictus, WORLD, *words)
    assert answer.code == 0, answer.err
    assert len(list((Path("camp") / "nrep" / "launches").iterdir())) == 4
    assert len(list((Path("camp") / "launches").iterdir())) > 4


def test_a_plan_file_names_its_prediction(ictus: Ictus) -> None:
    """`nrep = "pred"` in TOML is `--nrep pred`."""
    ictus_in(ictus, WORLD, "nrep", "-o", "pred")
    lines = ('mpi = ["mpich"]', 'nrep = "pred"', "launches = 2", 'op = "bcast"', 'sizes = "8,32Ki"', "seed = 1")
    Path("plan.toml").write_text("\n".join(lines))
    answer = ictus("run", "plan.toml", "--launcher", "simulated", "--scenario", "world.json")
    assert answer.code == 0, answer.err
    assert len({text for found in counts_of(Path("plan")).values() for text in found}) >= 1
    assert all("nrep=1000" not in text for found in counts_of(Path("plan")).values() for text in found)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nrep", "--metrics", "rsd"), "did you mean 'rse'"),
        (("nrep", "--metrics", ""), "--metrics '': it is blank"),
        (("nrep", "--metrics", "rse=2"), "--metrics 'rse=2': expected a threshold from 0 to 1"),
        (("nrep", "--min", "50", "--max", "20"), "--max '20': it is below the least number, 50"),
        (("run", "--nrep", "auto(max=20,min=50)"), "max, 20, is below min, 50"),
        (("run", "--nrep", "auto(rse=off,cov_mean=off)"), "rse, cov_mean, cov_median are all off"),
        (("run", "--nrep", "auto(cov_meen=0.1)"), "cov_meen"),
        (("run", "--nrep", "auto(launches=none)"), "launches is none; expected a whole number of 1 or more"),
        (("run", "--nrep", "nowhere"), "'nowhere' does not exist"),
        (("run", "--nrep", "0"), "a case needs 1 repetition or more"),
        (("run", "--nrep", "fixed", "-o", "x"), "was measured with repetition fixed, not predicted by `ictus nrep`"),
        (("run", "--nrep", "pred", "--op", "scan"), "nothing is predicted for scan of 8 B with 2 processes"),
        (("run", "--nrep", "pred", "--datatype", "float"), "predicted with datatype double, and this plan has float"),
        (("run", "--nrep", "pred", "--repetition", "rse"), "the counts are predicted ones; leave out repetition 'rse'"),
    ],
)
def test_what_cannot_be_is_refused_by_name(words: tuple[str, ...], said: str, ictus: Ictus) -> None:
    """A usage error that names option, value and what is allowed, before anything is measured."""
    small = ("--op", "bcast", "--sizes", "8", "--seed", "1", "--launcher", "simulated", "-m", "mpich")
    if "pred" in words:
        assert ictus("nrep", *small, "-o", "pred").code == 0
    if "fixed" in words:
        assert ictus("run", *small, "--launches", "1", "-o", "fixed").code == 0
    rest = small[2:] if "--op" in words else small
    answer = ictus(*words, *rest)
    assert answer.code == 2, answer
    assert said in " ".join(answer.err.split())


CONDITIONS = {
    "clock": ("--clock", "monotonic"),
    "clocksync": ("--clocksync", "hca3"),
    "algorithm": ("--algorithm", "bcast=chain"),
    "warmup": ("--warmup", "7"),
    "pin": ("--pin", "none"),
    "map-by": ("--map-by", "node"),
    "env": ("--env", "A=b c", "--env", "D=e"),
    "heap": ("--heap", "returned"),
    "launcher-options": ("--launcher-options", "--bind-to socket"),
    "datatype": ("--datatype", "float"),
    "layout": ("--layout", "vector"),
}
"""By key of the plan: what changes the time of a call."""


@pytest.mark.parametrize("key", CONDITIONS)
def test_the_next_command_measures_under_the_same_conditions(ictus: Ictus, key: str) -> None:
    """Word for word it is accepted; without the condition it is refused by name. It was dropped and not compared."""
    small = ("--launcher", "simulated", "-m", "mpich", "--op", "bcast", "--sizes", "8", "--seed", "1")
    predicted = ictus("nrep", *small, *CONDITIONS[key], "-o", "pred")
    assert predicted.code == 0, predicted.err
    (line,) = [line for line in predicted.out.splitlines() if line.startswith("Next: ictus ")]
    words = shlex.split(line.removeprefix("Next: ictus "))
    run = ("--launcher", "simulated", "--launches", "2", "--seed", "2")
    answer = ictus(*words, *run, "-o", "alike")
    assert answer.code == 0, answer.err
    there, here = (json.loads(Path(name, "campaign.json").read_text())["plan"] for name in ("pred", "alike"))
    own = ("launches", "nrep", "repetition", "predicted", "seed")
    assert {name: value for name, value in here.items() if name not in own} == {
        name: value for name, value in there.items() if name not in own
    }
    bare = ictus("run", *small, "--nrep", "pred", "-o", "bare")
    assert bare.code == 2
    assert f"predicted with {key}" in bare.err
