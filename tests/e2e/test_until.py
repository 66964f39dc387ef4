"""A precision goal on real ranks of both libraries, with a budget of seconds."""

import json
from pathlib import Path

import pytest
from tests.command_line import succeed
from tests.launch_document import launch_document

pytestmark = [pytest.mark.mpi, pytest.mark.e2e, pytest.mark.beside]


def test_a_goal_out_of_reach_is_pursued_until_the_budget_ends(tmp_path: Path) -> None:
    """One in a thousand, in one second, from a plan in TOML: pilot, planned repetitions in every launch, both
    libraries in every block, and what was reached is said; with more budget the same folder goes on.
    """
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'mpi = "mpich,openmpi"\nop = "bcast"\nsizes = "8,4Ki"\nn = 2\nlaunches = 4\nnrep = 200\nseed = 3\n'
        'until = "0.1 %"\ntime-budget = "1s"\ncontention-retries = 0\npage-faults = false\n'
        'clocksync = "none"\nprocsync = "barrier"\n'
    )
    folder = tmp_path / "campaign"
    assert "budget of 1 s ended" in succeed("run", plan, "-o", folder).out
    slots = json.loads((folder / "schedule.json").read_text())["slots"]
    assert len(slots) >= 2 * 3
    for slot in slots:
        record = launch_document(folder / "launches" / f"{slot['slot']:04d}-{slot['mpi']}")
        counts = dict(zip(slot["cases"], slot["nrep"], strict=True))
        assert {case["case_id"] for case in record["cases"]} == set(counts)
        assert all(case["valid"] <= counts[case["case_id"]] <= 200 for case in record["cases"])
    assert {slot["mpi"] for slot in slots if slot["block"] == 0} == {"mpich", "openmpi"}
    journal = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
    planned = [one for one in journal if one["event"] == "planned"]
    assert planned[0]["launches"] == 3
    assert planned[0]["more"] is None or planned[0]["more"] > 0
    goal = json.loads(succeed("show", folder, "--json").out)["goal"]
    assert (goal["ended"], goal["reached"], len(goal["rows"])) == ("budget", False, 4)
    more = f"{2 * goal['spent_s']:.3f}s"
    succeed("run", folder, "--time-budget", more, "--contention-retries", "0")
    after = json.loads(succeed("show", folder, "--json").out)["goal"]
    assert min(row["launches"] for row in after["rows"]) > min(row["launches"] for row in goal["rows"])
    assert (after["ended"], after["time_budget_s"]) == ("budget", float(more[:-1]))
