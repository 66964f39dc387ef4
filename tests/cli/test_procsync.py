"""`ictus procsync window` and `times` over the simulated launcher: whole texts, rows, pages, and what is refused."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import check_golden
from tests.command_line import Answer, Ictus
from tests.page_text import read_aloud

WORLD: dict[str, object] = {
    "factors": {"mpich": 1.0},
    "launch_spread": 0.04,
    "noise": 0.05,
    "late_share": 0.02,
    "bandwidth": 4e9,
}


def study(ictus: Ictus, *words: str) -> Answer:
    """A study of one simulated library."""
    Path("world.json").write_text(json.dumps(WORLD))
    simulated = ("--launcher", "simulated", "--scenario", "world.json", "-m", "mpich", "-n", "2", "--seed", "7")
    return ictus("procsync", *words, *simulated)


@pytest.mark.figures
def test_windows_are_swept_and_one_is_recommended(ictus: Ictus) -> None:
    """2 % of the samples are late whatever the window: with --limit 0.01 none will do, with 0.1 the shortest does."""
    words = ("--windows", "20us,50us,100us", "--op", "alltoall", "--sizes", "8", "--launches", "6", "--nrep", "100")
    answer = study(ictus, "window", *words, "-o", "swept")
    assert answer.code == 0, answer.err
    check_golden("procsync_window.txt", answer.out)
    assert (Path("swept") / "windows.html").read_text("utf-8").count('role="img"') == 2
    again = json.loads(ictus("procsync", "window", "swept", "--limit", "0.1", "--json").out)
    assert again["recommended_s"] == [pytest.approx(20e-6)]
    assert all(row["attempted"] >= 600 for row in again["rows"])
    assert all(0 < row["invalid_share"] < 0.1 for row in again["rows"])


def test_sizes_are_found_by_a_short_launch(ictus: Ictus) -> None:
    """Without --windows: from 0.7 to 10 times the latency, and they are said."""
    answer = study(ictus, "window", "--op", "alltoall", "--sizes", "8", "--launches", "1", "--nrep", "20", "--json")
    assert answer.code == 0, answer.err
    sizes = [row["window_s"] for row in json.loads(answer.out)["rows"]]
    assert sizes[-1] / sizes[0] == pytest.approx(10 / 0.7, rel=0.05)
    assert "windows: " in answer.err


@pytest.mark.figures
def test_local_and_global_times_of_the_same_samples(ictus: Ictus) -> None:
    """Two starts and two sizes; any campaign with global times will do as a folder."""
    words = ("--procsync", "barrier(library),window", "--op", "allreduce", "--sizes", "8,1Ki")
    answer = study(ictus, "times", *words, "--launches", "6", "--nrep", "50", "-o", "both")
    assert answer.code == 0, answer.err
    check_golden("procsync_times.txt", answer.out)
    rows = json.loads(ictus("procsync", "times", "both", "--json").out)["rows"]
    assert len(rows) == 4
    assert all(row["global_s"] >= row["local_s"] for row in rows)
    assert 'role="img"' in (Path("both") / "times.html").read_text("utf-8")


def test_so_few_launches_can_never_tell_local_from_global_times(ictus: Ictus) -> None:
    """Of 3 launches there is no interval, so nothing may be said to be the same: terminal and page name what it takes;
    6 launches have the intervals (the golden text above).
    """
    words = ("--procsync", "window", "--op", "allreduce", "--sizes", "8,1Ki")
    answer = study(ictus, "times", *words, "--launches", "3", "--nrep", "20", "-o", "few")
    assert answer.code == 0, answer.err
    said = "3 launches can never decide 2 cases; at least 6 are needed."
    for text in (answer.out, read_aloud((Path("few") / "times.html").read_text("utf-8"))):
        assert said in text
        assert "told apart" not in text


def test_the_command_that_was_stopped_goes_on(ictus: Ictus, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named as it was given, not as `ictus run`; with nothing but -o it finishes what was begun, and looks for
    no other windows than those.
    """
    words = ("--op", "alltoall", "--sizes", "8", "--launches", "2", "--nrep", "20", "-o", "swept")
    with monkeypatch.context() as patch:
        patch.setitem(WORLD, "faults", {"1": ["interrupt"]})
        stopped = study(ictus, "window", "--windows", "20us,50us", *words)
    assert stopped.code == 3
    said = "`ictus procsync window -o swept --launcher simulated --scenario world.json` continues"
    assert f"stopped: 1 of 2 launches are complete; {said}" in stopped.err
    Path("world.json").write_text(json.dumps(WORLD))
    again = ictus("procsync", "window", "-o", "swept", "--launcher", "simulated", "--scenario", "world.json")
    assert again.code == 0, again.err
    assert "windows: " not in again.err


def test_folders_without_what_is_needed_are_refused(ictus: Ictus) -> None:
    """No fixed windows, options beside a folder, no campaign at all."""
    study(ictus, "times", "--op", "bcast", "--sizes", "8", "--launches", "1", "--nrep", "20", "-o", "both")
    for words, said in (
        (("window", "both"), "has no windows of fixed size"),
        (("window", "both", "--op", "bcast"), "--op with 'both': what was measured is shown as it is"),
        (("times", "nowhere"), "nowhere"),
        (("window", "--windows", "0"), "--windows '0': times above 0 s are expected"),
        (("window", "--windows", "20us,5"), "--windows '20us,5': 5 s is longer than the 1 s that is allowed"),
        (("times", "--procsync", "widnow"), "did you mean 'window'"),
    ):
        answer = ictus("procsync", *words)
        assert answer.code == 2, (words, answer)
        assert said in " ".join(answer.err.split())
