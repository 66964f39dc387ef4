"""Job scripts of every batch system, pinned; words of their documentation; where a campaign stands by its journal."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ictus.engine.campaign import plan_of
from ictus.engine.folder_lock import FolderLock
from ictus.engine.runner import run_campaign
from ictus.launch.launchers.simulated import Simulated
from ictus.model.design import make_design
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.submission import submit as submission
from ictus.submission.schedulers import SCHEDULERS, JobRequest, scheduler
from ictus.submission.status import campaign_status
from ictus.submission.submit import SubmissionOptions, prepare, read_submitted

PLAN = 'mpi = "mpich"\nop = "bcast"\nsizes = "8"\nnodes = [1, 2]\nppn = [4, 8]\nlaunches = 2\n'
REQUEST = JobRequest("ictus-camp", 2, 8, 5400, Path("/f/jobs/output.txt"), "abc", "main", ("--more",))
DOCUMENTED = {
    # Slurm, sbatch(1):
    "slurm": """--job-name=ictus-camp --nodes=2 --ntasks-per-node=8 --time=01:30:00 --signal=B:USR1@60 --exclusive
        --output=/f/jobs/output.txt --open-mode=append --no-requeue --account=abc --partition=main --more""",
    # PBS Professional, qsub(1B):
    "pbs": """-N ictus-camp -l select=2:ncpus=8:mpiprocs=8 -l walltime=01:30:00 -l place=scatter:excl -j oe
        -o /f/jobs/output.txt -r n -A abc -q main --more""",
    # Flux, flux-batch(1):
    "flux": """--job-name=ictus-camp --nodes=2 --nslots=16 --exclusive --time-limit=5400s --signal=SIGUSR1@60s
        --output=/f/jobs/output.txt --bank=abc --queue=main --more""",
    # LSF with CSM, bsub(1):
    "lsf": """-J ictus-camp -nnodes 2 -W 01:30 -wa USR1 -wt 1 -o /f/jobs/output.txt -P abc -q main --more""",
}
ANSWERS = {"slurm": ("12;cluster\n", "12"), "pbs": ("12.server\n", "12.server"), "flux": ("f2bX\n", "f2bX")}
ANSWERS["lsf"] = ("Job <12> is submitted to queue <main>.\n", "12")


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plan file in the folder where the command is typed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.toml").write_text(PLAN)
    return Path("plan.toml")


@pytest.mark.parametrize("name", DOCUMENTED)
def test_options_are_those_of_the_documentation(name: str) -> None:
    """Of every batch system; only Slurm is run by us (tests/cluster)."""
    assert " ".join(scheduler(name).options(REQUEST)).split() == DOCUMENTED[name].split()
    said, job = ANSWERS[name]
    assert scheduler(name).job_id(said) == job


MANUALS = Path(__file__).parents[2] / "docs" / "reference" / "batch-systems.md"
NOW = {"NAME": "ictus-camp", "NP": "16", "N": "2", "P": "8", "F": "/f/jobs/output.txt", "A": "abc", "Q": "main"}
TIMES = {"slurm": "01:30:00", "pbs": "01:30:00", "flux": "5400s", "lsf": "01:30"}


def recorded(system: str) -> list[str]:
    """The words of a system in the table of facts of manuals, for the request above."""
    rows = [line.split("|")[1:4] for line in MANUALS.read_text().splitlines() if line.startswith(f"| {system} | `-")]
    words = (words.strip().strip("`") for _, words, _ in rows)
    return [
        re.sub(r"\b(NAME|NP|N|P|F|A|Q|T)\b(?![ =])", lambda one: {**NOW, "T": TIMES[system]}[one[1]], w) for w in words
    ]


@pytest.mark.parametrize("name", DOCUMENTED)
def test_every_word_has_a_fact_of_its_manual(name: str) -> None:
    """And every row of the table is said."""
    assert sorted((*recorded(name), "--more")) == sorted(scheduler(name).options(REQUEST))
    (submits,) = re.findall(rf"^\| {name} \| `([a-z][^`]*) F`", MANUALS.read_text(), re.MULTILINE)
    assert scheduler(name).resubmit_line("F").removesuffix(" F").endswith(submits)
    short = scheduler(name).options(JobRequest("x", 1, 1, 60, Path("/f")))
    assert not any(word.endswith(("@60", "@60s", "-wt 1")) for word in short), "it would be due at the job's begin"


def test_names_and_files_with_blanks_stay_one_word(plan: Path, tmp_path: Path) -> None:
    """Batch systems split the options of a script as a shell does."""
    del plan
    for one in SCHEDULERS:
        script = prepare(Path("plan.toml"), tmp_path / "a b", SubmissionOptions(one.name), {}).script
        lines = [shlex.split(line) for line in script.splitlines() if line.startswith(f"{one.sign} ")]
        said = [word for line in lines for word in line]
        assert any(word.endswith("ictus-a_b") for word in said)
        assert any(word.endswith(f"{tmp_path}/a b/jobs/output.txt") for word in said)


BEGINS = {
    "slurm": 'sbatch --parsable --begin="now+$begin_s" job.sh',  # sbatch(1): now+count, in seconds
    "pbs": 'qsub -a "$(date -d "+$begin_s seconds" +%Y%m%d%H%M.%S)" job.sh',  # qsub(1B): [[CC]YY]MMDDhhmm[.SS]
    "flux": 'flux proxy "$(flux getattr parent-uri)" flux batch --begin-time="+${begin_s}s" job.sh',
    "lsf": 'bsub -b "$(date -d "+$((begin_s + 59)) seconds" +%Y:%m:%d:%H:%M)" < job.sh',  # bsub(1)
}


@pytest.mark.parametrize("name", [one.name for one in SCHEDULERS])
def test_the_next_job_of_a_campaign_over_a_time_begins_with_its_next_block(plan: Path, name: str) -> None:
    """In words of the documentation; without --over it begins as soon as it can."""
    assert scheduler(name).resubmit_line("job.sh", later=True) == BEGINS[name]
    assert "begin" not in prepare(plan, None, SubmissionOptions(name), {}).script.partition("# Launches are left")[2]
    plan.write_text(f'{PLAN}over = "2h"\n')
    script = prepare(plan, None, SubmissionOptions(name), {}).script
    assert "status " in script
    assert " --begin-in) || begin_s=0" in script
    assert scheduler(name).resubmit_line(f"{Path.cwd()}/plan/jobs/job.sh", later=True) in script
    assert subprocess.run(("bash", "-n"), input=script, text=True, check=False).returncode == 0


def test_a_script_waits_for_the_next_block_outside_of_the_allocation(plan: Path, tmp_path: Path) -> None:
    """Run by a shell: it asks when the block begins, and submits itself for then."""
    plan.write_text(f'{PLAN}over = "2h"\n')
    program = tmp_path / "ictus"
    program.write_text('#!/bin/bash\n[ "$3" = --begin-in ] && echo 4711\nexit 0\n')
    program.chmod(0o755)
    (tmp_path / "camp" / "jobs").mkdir(parents=True)
    script = prepare(plan, Path("camp"), SubmissionOptions("slurm"), {}).script
    script = script.replace(" ".join(submission._program()), str(program)).replace("sbatch", "echo sbatch")
    subprocess.run(("bash", "-c", script), check=True, timeout=30)
    said = (tmp_path / "camp" / "jobs" / "resubmitted.txt").read_text().split()
    assert said[:3] == ["sbatch", "--parsable", "--begin=now+4711"]


def test_an_answer_without_a_job_is_an_error() -> None:
    """LSF prints a sentence."""
    with pytest.raises(MeasurementError, match="bsub named no job: 'No such queue'"):
        scheduler("lsf").job_id("No such queue\n")


def test_bsub_gets_the_script_as_its_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Options in a script that is an argument are read at some sites only; from standard input everywhere."""
    bsub = tmp_path / "bin" / "bsub"
    bsub.parent.mkdir()
    bsub.write_text('#!/bin/sh\ncat > "$OUT"\necho "$# arguments; Job <7> is submitted to queue <q>."\n')
    bsub.chmod(0o755)
    monkeypatch.setenv("PATH", str(bsub.parent), prepend=os.pathsep)
    monkeypatch.setenv("OUT", str(tmp_path / "seen"))
    script = tmp_path / "a b.sh"
    script.write_text("#BSUB -J x\n")
    assert scheduler("lsf").submit(script) == "7"
    assert (tmp_path / "seen").read_text() == "#BSUB -J x\n"
    again = subprocess.run(
        ("sh", "-c", scheduler("lsf").resubmit_line(f"'{script}'")), capture_output=True, text=True, check=True
    )
    assert again.stdout.startswith("0 arguments; Job <7>")


@pytest.mark.parametrize("name", [one.name for one in SCHEDULERS])
def test_scripts_are_read_by_the_shell(plan: Path, name: str) -> None:
    """Options first, each on a line of its own, of the largest launch; the shell finds nothing wrong."""
    ready = prepare(plan, Path("a b"), SubmissionOptions(name, time_s=600), {"ICTUS_CACHE": "/c d"})
    lines = ready.script.splitlines()
    assert lines[0] == "#!/bin/bash"
    sign = scheduler(name).sign
    n_options = sum(line.startswith(f"{sign} ") for line in lines)
    assert all(line.startswith(f"{sign} ") for line in lines[1 : 1 + n_options])
    assert subprocess.run(("bash", "-n"), input=ready.script, text=True, check=False).returncode == 0
    assert "export ICTUS_CACHE='/c d'" in lines
    assert "export ICTUS_ALLOCATION_END=$(($(date +%s) + 600))" in lines
    folder = plan.absolute().parent / "a b"
    assert f"run '{folder}/jobs/plan.toml' -o '{folder}' --launcher {scheduler(name).launcher} &" in ready.script
    assert "--goes-on; then" in ready.script
    once = prepare(plan, None, SubmissionOptions(name, resubmit=False), {}).script
    assert "--goes-on" not in once


def test_a_script_stops_ictus_before_the_limit_and_hands_its_exit_code_on(plan: Path, tmp_path: Path) -> None:
    """Run by a shell: on USR1 the program gets TERM; where it says so the script is submitted again, else not."""
    program = tmp_path / "ictus"
    program.write_text(
        "#!/bin/bash\n"
        'if [ "$1" = status ]; then exit "$(cat goes_on)"; fi\n'
        "trap 'echo stopped > said; exit 3' TERM\n"
        "while :; do kill -USR1 $PPID; sleep 0.1; done\n"
    )
    program.chmod(0o755)
    for goes_on, again in (("0", True), ("1", False)):
        (tmp_path / "goes_on").write_text(goes_on)
        (tmp_path / "camp" / "jobs").mkdir(parents=True, exist_ok=True)
        ready = prepare(plan, Path("camp"), SubmissionOptions("slurm"), {})
        script = ready.script.replace(" ".join(submission._program()), str(program)).replace("sbatch", "echo sbatch")
        (tmp_path / "job.sh").write_text(script)
        ended = subprocess.run(("bash", str(tmp_path / "job.sh")), check=False, timeout=30)
        assert ended.returncode == 3
        assert (tmp_path / "said").read_text() == "stopped\n"
        assert (tmp_path / "camp" / "jobs" / "resubmitted.txt").exists() is again
        (tmp_path / "camp" / "jobs" / "resubmitted.txt").unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("ends", "left_s", "again"),
    [
        ("pbs TERM", 5, True),  # at its limit
        ("pbs TERM", 600, False),  # qdel
        ("flux HUP", 5, True),
        ("flux HUP", 600, False),
        ("slurm TERM", 5, False),  # it is warned by USR1: this is scancel, however late
        ("lsf USR2", 5, True),
    ],
)
def test_a_limit_continues_and_a_cancellation_does_not(
    plan: Path, tmp_path: Path, ends: str, left_s: int, again: bool
) -> None:
    """Run by a shell, which gets the signal when so much of the time is left."""
    name, signal = ends.split()
    program = tmp_path / "ictus"
    program.write_text(
        "#!/bin/bash\n"
        'if [ "$1" = status ]; then exit 0; fi\n'
        "trap 'exit 3' TERM\n"
        f"while :; do kill -{signal} $PPID; sleep 0.1; done\n"
    )
    program.chmod(0o755)
    (tmp_path / "camp" / "jobs").mkdir(parents=True)
    script = prepare(plan, Path("camp"), SubmissionOptions(name), {}).script
    script = script.replace(" ".join(submission._program()), str(program))
    script = script.replace("$(($(date +%s) + 3600))", f"$(($(date +%s) + {left_s}))")
    for one in ("qsub", "sbatch", "bsub", "flux"):
        (tmp_path / one).write_text("#!/bin/sh\necho submitted\n")
        (tmp_path / one).chmod(0o755)
    (tmp_path / "camp" / "jobs" / "job.sh").write_text(script)
    shell = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    ended = subprocess.run(("bash", str(tmp_path / "camp" / "jobs" / "job.sh")), env=shell, check=False, timeout=30)
    assert ended.returncode == 3
    assert (tmp_path / "camp" / "jobs" / "resubmitted.txt").exists() is again


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"scheduler": "slrum"}, r"unknown scheduler 'slrum', did you mean 'slurm'\? known: slurm, pbs, flux, lsf"),
        ({"scheduler": "slurm", "time_s": 10.0}, r"a job needs 60 s or more"),
        ({"scheduler": "slurm", "nodes": 1}, r"the plan has launches on 2 nodes"),
        ({"scheduler": "slurm", "ppn": 4}, r"the plan has launches with 8 processes on a node"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(plan: Path, options: dict[str, Any], said: str) -> None:
    """A job that cannot do what the plan asks for would wait in the queue for nothing."""
    with pytest.raises(UsageError, match=said):
        prepare(plan, None, SubmissionOptions(**options), {})
    assert [path.name for path in Path.cwd().iterdir()] == ["plan.toml"]


def campaign(folder: Path) -> None:
    """A whole campaign of four simulated launches."""
    values = {"op": "bcast", "sizes": "64", "launches": 2, "nrep": 5, "seed": 7, "mpi": "a=x,b=y"}
    design = make_design(Plan.from_values(values), Registries.load(), [Simulated.installation(one) for one in "ab"])
    run_campaign(folder, design, Simulated())


def test_a_folder_is_continued_by_one_job_at_a_time(
    plan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that is queued or runs: another one is refused and nothing is submitted; after its end it is not."""
    for name, text in {"sbatch": "echo x >> asked; echo 7", "squeue": "cat ../../state"}.items():
        (tmp_path / name).write_text(f"#!/bin/bash\ncd '{tmp_path / 'camp' / 'jobs'}'; {text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    state = tmp_path / "state"
    ready = prepare(plan, tmp_path / "camp", SubmissionOptions("slurm"), {})
    assert submission.submit(ready).job == "7"
    for shown, word in (("PENDING", "queued"), ("RUNNING", "running")):
        state.write_text(shown)
        with pytest.raises(UsageError, match=f"job 7 of slurm is {word} already; wait for it, or end it"):
            submission.submit(ready)
    assert (tmp_path / "camp" / "jobs" / "asked").read_text() == "x\n"
    state.write_text("")
    submission.submit(ready)
    assert [one.job for one in read_submitted(tmp_path / "camp")] == ["7", "7"]


def test_status_is_read_from_the_journal(tmp_path: Path) -> None:
    """Complete, then with a run that was stopped after one launch, then with one that made none."""
    folder = tmp_path / "camp"
    campaign(folder)
    found = campaign_status(folder)
    assert (found.state, found.done, found.total, found.goes_on, found.ends) == ("done", 4, 4, False, None)
    lines = (folder / "journal.jsonl").read_text().splitlines()
    plain = [json.loads(line) for line in lines]
    for one in plain:
        one.pop("checksum", None)
    start, accepted = plain[0], [one for one in plain if one["event"] == "accepted"]
    stopped = {"event": "stopped", "time": ""}

    def written(*entries: dict[str, Any]) -> Any:
        (folder / "journal.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in entries))
        return campaign_status(folder)

    found = written(start, accepted[0], stopped)
    assert (found.state, found.done, found.goes_on) == ("stopped", 1, True)
    assert not written(start, accepted[0], stopped, start, stopped).goes_on
    lock = FolderLock(folder)  # somebody measures there, without any batch system
    found = written(start, accepted[0])
    assert (found.state, found.ends is None) == ("running", False)
    lock.release()
    found = written(start, accepted[0], {"event": "failed", "slot": 1, "time": ""})
    assert (found.state, found.goes_on) == ("failed", False)


def test_a_folder_without_anything_is_refused(tmp_path: Path) -> None:
    """And a damaged record of jobs is said."""
    with pytest.raises(UsageError, match="is not a campaign folder, and no job was submitted for it"):
        campaign_status(tmp_path)
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "submitted.jsonl").write_text("{}\n")
    with pytest.raises(MeasurementError, match=r"submitted.jsonl: 'job'"):
        read_submitted(tmp_path)
    (tmp_path / "jobs" / "submitted.jsonl").write_text('{"job": "--option", "scheduler": "pbs"}\n')
    with pytest.raises(MeasurementError, match=r"submitted.jsonl: '--option' is not the id of a job"):
        read_submitted(tmp_path)


def test_a_folder_whose_job_ended_before_it_began_is_told_how_to_be_submitted(plan: Path) -> None:
    """It has the plan, and no campaign to continue."""
    (Path("camp") / "jobs").mkdir(parents=True)
    (Path("camp") / "jobs" / "plan.toml").write_text(plan.read_text())
    again = "`ictus submit camp/jobs/plan.toml -o camp --scheduler slurm`"
    with pytest.raises(UsageError, match=f"'camp': no job has begun its campaign yet .*{re.escape(again)}"):
        prepare(Path("camp"), None, SubmissionOptions("slurm"), {})


CONTAINERS = Path(__file__).parents[2] / "containers"


def test_container_files_name_what_is_there() -> None:
    """Read as far as can be without an engine: sections of Apptainer, instructions of Docker, what they copy."""
    sections = [line for line in (CONTAINERS / "ictus.def").read_text().splitlines() if line.startswith("%")]
    assert sections == ["%files", "%post", "%environment", "%runscript", "%labels"]
    lines = (CONTAINERS / "Dockerfile").read_text().splitlines()
    known = {"ARG", "FROM", "RUN", "COPY", "WORKDIR", "ENV", "ENTRYPOINT"}
    assert {line.split()[0] for line in lines if line and not line.startswith("#")} == known
    script = (CONTAINERS / "ictus.def").read_text().partition("%post\n")[2].partition("%environment")[0]
    assert subprocess.run(("bash", "-n"), input=script, text=True, check=False).returncode == 0


def test_options_are_the_plan_of_the_job_and_override_its_file(plan: Path) -> None:
    """The file that the job measures reads as the same plan as the options make; without any, it is the user's own."""
    given = {"mpi": ["a=mpich", "b=mpich"], "op": ["bcast", "barrier"], "sizes": "8..64", "n": "4"}
    given |= {"env": {"A": ["1", "2"], "ODD": ['é\t"\\\x7f']}, "raw": True, "launches": 3, "level": 0.01}
    ready = prepare(None, Path("camp"), SubmissionOptions("slurm"), {}, given)
    (Path.cwd() / "made.toml").write_bytes(ready.plan_text)
    assert plan_of(Path("made.toml"), {}) == Plan.from_values(given)
    both = prepare(plan, None, SubmissionOptions("slurm"), {}, {"launches": 7})
    (Path.cwd() / "both.toml").write_bytes(both.plan_text)
    assert plan_of(Path("both.toml"), {}) == plan_of(plan, {"launches": 7})
    assert both.folder.name == "plan"
    assert prepare(plan, None, SubmissionOptions("slurm"), {}, {"launches": None}).plan_text == plan.read_bytes()
    with pytest.raises(UsageError, match=r"needs PLAN\.toml, FOLDER, or what is measured"):
        prepare(None, Path("camp"), SubmissionOptions("slurm"), {})


def test_a_campaign_that_is_continued_keeps_its_plan(tmp_path: Path) -> None:
    """An option beside its folder is refused with its name."""
    plan = Plan.from_values({"mpi": "mpich", "op": "bcast", "sizes": "8", "n": 2, "launches": 1, "seed": 1})
    design = make_design(plan, Registries.load(), (Simulated.installation("mpich"),))
    run_campaign(tmp_path / "camp", design, Simulated())
    with pytest.raises(UsageError, match=r"op.*has its plan; leave it out"):
        prepare(tmp_path / "camp", None, SubmissionOptions("slurm", launcher="simulated"), {}, {"op": "reduce"})
