"""`--dry-run` of every command that measures: names, launches, time and disk; nothing is built, launched or written."""

import json
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import PLAN, WORLD, simulate
from tests.cli.test_tune import CHECK, SIMULATED, TUNE, WORLD as VIOLATED, checked
from tests.command_line import Ictus

from ictus.engine.preview import BYTE_S, LAUNCH_S, REPETITION_S
from ictus.model.sample import SAMPLE
from ictus.studies.campaign_material import PlanMaterial
from ictus.studies.registry import STUDIES, StudyEntry, every_claim

IN_A_SIMULATION = ("--launcher", "simulated")
LIBRARIES = ("-m", "mpich", "-m", "openmpi")


def listing() -> list[str]:
    return sorted(str(one) for one in Path.cwd().rglob("*"))


def test_time_and_disk_follow_from_launches_and_repetitions(ictus: Ictus) -> None:
    """By hand: 2 libraries x 5 launches; in each 3 cases of 200 repetitions, of 8, 16 and 32 bytes."""
    words = ("--op", "bcast", "--sizes", "8..32", "-n", "2", "--launches", "5", "--nrep", "200")
    said = ictus("run", "--dry-run", *IN_A_SIMULATION, *LIBRARIES, *words, "-o", "camp").out.splitlines()
    seconds = 10 * LAUNCH_S + 10 * 200 * (3 * REPETITION_S + (8 + 16 + 32) * BYTE_S)
    assert said[-2].startswith(f"Time: about {seconds:.0f} s, if a launch takes 1 s, and a repetition 50 µs and 1 ns")
    assert said[-1] == f"Disk: about {10 * 3 * 200 * SAMPLE.itemsize / 1e6:.2g} MB of samples"
    assert listing() == []


def test_a_campaign_that_is_continued_takes_as_long_as_its_launches_did(ictus: Ictus, tmp_path: Path) -> None:
    """Of 2 x 10 launches that are there and 2 x 20 that are asked for, 20 are missing."""
    folder = simulate(ictus, tmp_path, "camp", {**WORLD, "launch_s": 2.0})
    entries = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
    took = [one["elapsed_s"] for one in entries if one["event"] == "accepted"]
    answer = ictus("run", folder, "--launches", "20", "--dry-run", *IN_A_SIMULATION)
    assert answer.code == 0, answer.err
    (line,) = [one for one in answer.out.splitlines() if one.startswith("Time")]
    assert f"for 20 launches that are missing, at {sum(took) / len(took):.2g} s each as so far" in line


@pytest.mark.parametrize(
    ("words", "time", "disk"),
    [
        (("--nrep", "auto"), "at most", "at most"),
        (("--repetition", "rse"), "at most", "at most"),
        (("--repetition", "time"), "about 2 s for starts", "known after the first launch"),
        (("--until", "decided"), "at least", "at least"),
    ],
)
def test_an_amount_that_a_rule_decides_is_bounded_or_open(
    ictus: Ictus, words: tuple[str, ...], time: str, disk: str
) -> None:
    """`--nrep auto` was refused, for lack of a prediction that a dry run does not make."""
    launches = () if words[0] == "--until" else ("--launches", "1")
    asked = ("--op", "bcast", "--sizes", "8", "-n", "2", *launches)
    answer = ictus("run", "--dry-run", *IN_A_SIMULATION, *LIBRARIES, *asked, *words)
    assert answer.code == 0, answer.err
    said = {line.partition(":")[0]: line for line in answer.out.splitlines()}
    assert time in said["Time"]
    assert disk in said["Disk"]


def test_a_check_names_its_guidelines_and_what_both_sides_take(ictus: Ictus) -> None:
    """Both sides of GL10 are cases of the campaign; a check that is there says what is missing."""
    Path("world.json").write_text(json.dumps(VIOLATED))
    before = listing()
    answer = ictus("check", *CHECK, *SIMULATED, "-o", "chk", "--dry-run")
    assert answer.code == 0, answer.err
    first, second, *rest = answer.out.splitlines()
    assert first == "1 guideline: GL10"
    assert second.startswith("chk: 4 cases on these libraries: mpich")
    assert [line.strip().partition(":")[0] for line in rest[:4]] == [
        "bcast",
        "bcast_as_scatter_and_allgather",
        "Launches",
        "Time",
    ]
    assert listing() == before
    refused = ictus("check", *CHECK, *SIMULATED, "--plugin", "libmine.so", "--dry-run")
    assert refused.code == 2
    assert "--dry-run loads nothing" in refused.err


def test_a_tuning_names_the_violated_calls_and_its_budget(ictus: Ictus) -> None:
    """Two sizes of one call; nothing is written beside the check."""
    checked(ictus, VIOLATED)
    before = listing()
    answer = ictus(*TUNE, "--time-budget", "90s", "--limit", "7", "--dry-run")
    assert answer.code == 0, answer.err
    said = answer.out.splitlines()
    assert said[0] == "chk-tune: 2 calls violate guidelines"
    assert {line.strip() for line in said[1:3]} == {
        "bcast 64 B, mpich, 4 processes: GL10",
        "bcast 1 KiB, mpich, 4 processes: GL10",
    }
    assert any("at most 7 candidates of each call" in line for line in said)
    assert any("8 fresh launches of each variant" in line for line in said)
    assert any(line.startswith("Time: at most 1 min 30 s in launches") for line in said)
    assert listing() == before


@pytest.mark.parametrize("entry", [one for one in STUDIES if one.has_command], ids=lambda one: str(one.name))
def test_every_study_says_its_launches_and_its_time(ictus: Ictus, entry: StudyEntry) -> None:
    """Campaigns with simulated launches; those of the core look up the library and build nothing."""
    place = (*IN_A_SIMULATION, *LIBRARIES) if isinstance(entry.study.material, PlanMaterial) else ()
    answer = ictus(*entry.command.split(), *place, "--dry-run")
    assert answer.code == 0, answer.err
    assert "Launches: " in answer.out
    assert "Time: " in answer.out
    assert "Disk: " in answer.out
    assert listing() == []


def test_one_option_names_several_libraries(ictus: Ictus) -> None:
    """`-m a,b` is `-m a -m b`, of studies too; a study of one library says so."""
    both = ictus("communicators", "-m", "mpich,openmpi", "--dry-run").out
    assert both == ictus("communicators", "-m", "mpich", "-m", "openmpi", "--dry-run").out
    assert "openmpi, launch" in both
    refused = ictus("clocks", "rtt", "-m", "mpich,openmpi", "--dry-run")
    assert (refused.code, refused.err.strip()) == (2, "ictus: -m 'mpich,openmpi': one library is measured here")


def test_claims_are_previewed_one_by_one(ictus: Ictus) -> None:
    """A claim says what it claims before what it measures; one that nothing here can show says why."""
    answer = ictus("study", "run-to-run", *IN_A_SIMULATION, *LIBRARIES, "--dry-run")
    assert answer.code == 0, answer.err
    first, second, *_ = answer.out.splitlines()
    assert first.startswith("run-to-run: ")
    assert second.startswith("run-to-run-DATE: ")
    hidden = ictus("study", "sync-scaling", "--dry-run").out
    assert "cannot be seen here, because one number of processes shows no growth" in " ".join(hidden.split())
    assert listing() == []


def test_every_claim_can_be_measured_as_large_as_the_papers(ictus: Ictus) -> None:
    """`run-to-run` and `harmonize-*` refused their own plan: its sizes were no whole doubles, and nobody had run it."""
    answer = ictus("study", "all", "-m", "mpich", "-m", "openmpi", "--dry-run")
    assert answer.code == 0, answer.err
    named = [line.partition(":")[0] for line in answer.out.splitlines()]
    assert [one.name for _, one in every_claim()] == [
        name for name in named if name in {c.name for _, c in every_claim()}
    ]


def test_a_platform_of_real_libraries_is_refused_before(ictus: Ictus) -> None:
    """As when it is measured; it was planned all the same."""
    refused = ictus("study", "clt", "-m", "mpich", "--platform", "flat", "--dry-run")
    assert (refused.code, "platform 'flat': mpich is not simulated" in refused.err) == (2, True), refused.err


def test_calls_of_a_loop_count(ictus: Ictus) -> None:
    """A repetition of `loop(calls=100)` is 100 calls: 2 x 3 launches, 10 repetitions of 8 bytes."""
    words = (
        "--op",
        "bcast",
        "--sizes",
        "8",
        "-n",
        "2",
        "--launches",
        "3",
        "--nrep",
        "10",
        "--scheme",
        "loop(calls=100)",
    )
    said = ictus("run", "--dry-run", *IN_A_SIMULATION, *LIBRARIES, *words).out
    assert f"about {6 * (LAUNCH_S + 1000 * (REPETITION_S + 8 * BYTE_S)):.0f} s" in said


def test_submit_prints_the_script_alone_and_says_beside_it_what_it_measures(ictus: Ictus) -> None:
    """The plan comes from options, as that of `ictus run`; the script is one that a shell reads."""
    words = ("--scheduler", "slurm", "--launcher", "simulated", *LIBRARIES, *PLAN, "-o", "camp")
    answer = ictus("submit", *words, "--dry-run")
    assert answer.code == 0, answer.err
    assert subprocess.run(("bash", "-n"), input=answer.out, text=True, check=False).returncode == 0
    assert "jobs/plan.toml -o" in answer.out
    said = answer.err.splitlines()
    assert "on these libraries: mpich 1.0, openmpi 1.0" in " ".join(said)
    assert any(line.startswith("Launches: 10 of each library, 20 in all") for line in said)
    assert listing() == []
