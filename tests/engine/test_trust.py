"""A stranger's folder runs nothing that this user did not name."""

import json
import os
from pathlib import Path

import pytest
from tests.command_line import Ictus, succeed

from ictus.advice.request import AdviseOptions, AdviseRecord, record_in
from ictus.engine import campaign as ictus_campaign
from ictus.engine.trust import agree, check_trusted, remember
from ictus.model.errors import ForeignPrograms
from ictus.model.plan import Plan
from ictus.store.document import write_document
from ictus.store.manifest import read_manifest
from ictus.submission.submit import SubmissionOptions, prepare


@pytest.fixture(autouse=True)
def fresh_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has named nothing yet."""
    monkeypatch.setenv("ICTUS_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("ICTUS_CONFIG", str(tmp_path / "config"))
    return tmp_path / "state"


@pytest.fixture
def wrapper(tmp_path: Path) -> Path:
    """A program that leaves a trace when anybody runs it."""
    path = tmp_path / "stranger" / "mpicxx"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n", "utf-8")
    path.chmod(0o755)
    return path


def foreign_campaign(folder: Path, **plan: object) -> Path:
    """A campaign of which half the launches are missing, with another plan written into it."""
    succeed("run", "--launcher", "simulated", "--op", "bcast", "--sizes", "8", "--launches", "2", "--nrep", "2",
            "-m", "x=mpich", "-o", folder)  # fmt: skip
    document = json.loads((folder / "campaign.json").read_text("utf-8"))
    document["plan"] |= plan
    document.pop("checksum", None)
    (folder / "campaign.json").write_text(json.dumps(document), "utf-8")
    return folder


@pytest.mark.parametrize("words", [("run",), ("run", "-o")])
def test_a_wrapper_in_a_folder_is_not_run(tmp_path: Path, wrapper: Path, ictus: Ictus, words: tuple[str, ...]) -> None:
    """It was run, and the folder refused afterwards."""
    folder = foreign_campaign(tmp_path / "campaign", mpi=[f"x={wrapper}"])
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    answer = ictus(*words, folder)
    assert answer.code == 2, answer.out + answer.err
    assert f"-m x={wrapper}" in answer.err
    assert not (tmp_path / "ran").exists()
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_variables_in_a_folder_are_not_set(tmp_path: Path, ictus: Ictus) -> None:
    """LD_PRELOAD runs what it names in every rank."""
    folder = foreign_campaign(tmp_path / "campaign", env={"LD_PRELOAD": "/stranger/evil.so"})
    answer = ictus("run", folder)
    assert answer.code == 2
    assert "--env LD_PRELOAD=/stranger/evil.so" in answer.err


@pytest.mark.parametrize(
    ("key", "text", "option"),
    [
        ("core-flags", "-fplugin=/stranger/evil.so", "--core-flags -fplugin=/stranger/evil.so"),
        ("launcher-options", "-launcher-exec /stranger/evil", "--launcher-options '-launcher-exec /stranger/evil'"),
    ],
)
def test_words_in_a_folder_that_can_run_programs_are_not_used(
    tmp_path: Path, ictus: Ictus, key: str, text: str, option: str
) -> None:
    """A compiler loads what its flags name, a launcher runs what its options name."""
    folder = foreign_campaign(tmp_path / "campaign", **{key: [text]})
    answer = ictus("run", folder)
    assert answer.code == 2
    assert f"would run what you have not named: {option}" in " ".join(answer.err.split())


def test_whoever_names_it_is_taken_at_their_word(tmp_path: Path, wrapper: Path, ictus: Ictus) -> None:
    """The wrapper is run: it was typed with this call."""
    folder = foreign_campaign(tmp_path / "campaign", mpi=[f"x={wrapper}"])
    answer = ictus("run", folder, "-m", f"x={wrapper}")
    assert answer.code == 2
    assert "cannot be used as an MPI" in answer.err
    assert (tmp_path / "ran").exists()


def test_what_was_named_when_a_campaign_began_is_remembered(tmp_path: Path, fresh_state: Path, wrapper: Path) -> None:
    """A submitted job continues it without a terminal; a stranger's folder with other words does not profit."""
    plan = Plan.from_values({"mpi": f"x={wrapper}", "env": {"A": "1"}})
    with pytest.raises(ForeignPrograms):
        check_trusted(tmp_path, plan, "mpiexec")
    remember(plan)
    check_trusted(tmp_path, plan, "mpiexec")
    with pytest.raises(ForeignPrograms, match="A=2"):
        check_trusted(tmp_path, Plan.from_values({"mpi": f"x={wrapper}", "env": {"A": "2"}}), "mpiexec")
    with pytest.raises(ForeignPrograms, match="y="):
        check_trusted(tmp_path, Plan.from_values({"mpi": f"y={wrapper}.other"}), "mpiexec")
    assert fresh_state.stat().st_mode & 0o777 == 0o700 or (fresh_state / "named").stat().st_mode & 0o777 == 0o700


def test_running_a_campaign_remembers_its_variables_and_libraries(tmp_path: Path, ictus: Ictus) -> None:
    """Begun with --env, it continues by its folder alone; also the libraries that were found, by the paths in the plan
    of the folder: discovery may find others in a job.
    """
    words = ("run", "--launcher", "simulated", "--op", "bcast", "--sizes", "8", "--launches", "1", "--nrep", "2")
    assert ictus(*words, "--env", "A=1", "-o", "mine").code == 0
    plan = read_manifest(Path("mine")).plan
    assert plan.environment == {"A": "1"}
    assert all("/" in one.which for one in plan.libraries)
    check_trusted(Path("mine"), plan, "mpiexec")


def test_libraries_that_are_found_or_added_are_this_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By name always, by path where discovery comes by it."""
    check_trusted(tmp_path, Plan.from_values({"mpi": "mpich,old=openmpi"}), "mpiexec")
    own = tmp_path / "bin" / "mpicxx"
    own.parent.mkdir()
    own.write_text("#!/bin/sh\n", "utf-8")
    own.chmod(0o755)
    plan = Plan.from_values({"mpi": f"x={own}"})
    with pytest.raises(ForeignPrograms):
        check_trusted(tmp_path, plan, "mpiexec")
    monkeypatch.setenv("PATH", f"{own.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("ICTUS_SEARCH", "wheels,path")
    check_trusted(tmp_path, plan, "mpiexec")


def test_a_check_of_a_stranger_runs_nothing_either(tmp_path: Path, wrapper: Path, ictus: Ictus) -> None:
    """Its plan lies in check.json."""
    words = ("check", "--launcher", "simulated", "--guidelines", "GL3", "--sizes", "8", "--launches", "6")
    answer = ictus(*words, "--nrep", "2", "-m", "x=mpich", "-o", "check")
    assert answer.code == 0, answer.err
    document = json.loads(Path("check/check.json").read_text("utf-8"))
    document["plan"] |= {"mpi": [f"x={wrapper}"], "launches": 8}
    document.pop("checksum", None)
    Path("check/check.json").write_text(json.dumps(document), "utf-8")
    answer = ictus("check", "check")
    assert not (tmp_path / "ran").exists()
    answer = ictus("check", "-o", "check", "--launches", "12")
    assert answer.code == 2, answer.out + answer.err
    assert f"-m x={wrapper}" in answer.err
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("more", [(), ("--launcher", "simulated")])
def test_modules_in_a_folder_are_not_loaded(
    tmp_path: Path, ictus: Ictus, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    """`module load` runs the file of the module, whatever is launched afterwards; one that is loaded is the user's."""
    loaded: list[object] = []
    folder = foreign_campaign(tmp_path / "campaign", modules=["evil/1.0"])
    monkeypatch.setattr(ictus_campaign, "load_modules", loaded.append)
    answer = ictus("run", folder, *more)
    assert (answer.code, loaded) == (2, [])
    assert "would run what you have not named: --modules evil/1.0" in " ".join(answer.err.split())
    monkeypatch.setenv("LOADEDMODULES", "gcc/12:evil/1.0")
    check_trusted(folder, read_manifest(folder).plan, "simulated")


def test_a_study_of_a_stranger_runs_nothing(tmp_path: Path, wrapper: Path, ictus: Ictus) -> None:
    """`ictus reproduce -o FOLDER` ran the wrapper that the request in the folder names, to ask for its version."""
    words = ("--op", "bcast", "--sizes", "8", "--trials", "2", "--launches", "2", "--nrep", "2", "--lens", "none")
    succeed("reproduce", "--launcher", "simulated", "-m", "x=mpich", *words, "-o", "again")
    document = json.loads(Path("again/reproduction.json").read_text("utf-8"))
    document["plan"] |= {"mpi": [f"x={wrapper}"]}
    document.pop("checksum", None)
    Path("again/reproduction.json").write_text(json.dumps(document), "utf-8")
    answer = ictus("reproduce", "-o", "again")
    assert answer.code == 2, answer.out + answer.err
    assert f"-m x={wrapper}" in answer.err
    assert not (tmp_path / "ran").exists()
    assert "cannot be used as an MPI" in ictus("reproduce", "-o", "again", "-m", f"x={wrapper}").err


@pytest.mark.parametrize(
    ("record", "option"),
    [
        ({"environment": {"LD_PRELOAD": "/stranger/evil.so"}}, "--env LD_PRELOAD=/stranger/evil.so"),
        ({"plan": {"core-flags": ["-fplugin=/stranger/evil.so"]}}, "--core-flags -fplugin=/stranger/evil.so"),
        ({"plan": {"plugin": ["/stranger/evil.so"]}}, "--plugin /stranger/evil.so"),
    ],
)
def test_advice_of_a_stranger_sets_nothing(tmp_path: Path, record: dict[str, object], option: str) -> None:
    """The program and the library are compared with those of the call; variables and plans were taken over."""
    request = {"program": ("/bin/true",), "library": "mpich", "n": 2}
    write_document(
        tmp_path / AdviseRecord.FILE,
        AdviseRecord.model_validate({"ictus": "1", "created": "today", "seed": 1, **request, **record}),
    )
    with pytest.raises(ForeignPrograms, match=f"not named: {option}"):
        record_in(tmp_path, ("/bin/true",), "mpich", AdviseOptions())
    asked = AdviseOptions(environment=record.get("environment"), plan=record.get("plan"))  # type: ignore[arg-type]
    assert record_in(tmp_path, ("/bin/true",), "mpich", asked).n == 2


def test_advice_that_began_here_continues_without_its_options(tmp_path: Path) -> None:
    """What was typed when it began is remembered."""
    began = record_in(tmp_path / "new", ("/bin/true",), "mpich", AdviseOptions(environment={"A": "1"}))
    assert record_in(tmp_path / "new", ("/bin/true",), "mpich", AdviseOptions()).environment == began.environment


def test_a_check_takes_the_options_that_the_refusal_names(tmp_path: Path, ictus: Ictus) -> None:
    """They were refused again where they were given."""
    words = ("check", "--launcher", "simulated", "--guidelines", "GL3", "--sizes", "8", "--launches", "6")
    succeed(*words, "--nrep", "2", "-m", "x=mpich", "-o", "check")
    document = json.loads(Path("check/check.json").read_text("utf-8"))
    document["plan"] |= {"env": {"A": "1"}, "launches": 8, "mpi": ["x=no-such-mpi"]}
    document.pop("checksum", None)
    Path("check/check.json").write_text(json.dumps(document), "utf-8")
    more = ("check", "-o", "check", "--launches", "12")
    assert "--env A=1" in ictus(*more).err
    assert "would run" not in ictus(*more, "--env", "A=1").err


def test_a_job_is_not_submitted_that_would_be_refused(tmp_path: Path) -> None:
    """It has no terminal, and waits for hours before it says so."""
    folder = foreign_campaign(tmp_path / "campaign", env={"LD_PRELOAD": "/stranger/evil.so"})
    with pytest.raises(ForeignPrograms, match="LD_PRELOAD"):
        prepare(folder, None, SubmissionOptions("slurm"), {})


def test_the_user_at_a_terminal_is_asked_whatever_the_command(
    tmp_path: Path, wrapper: Path, ictus: Ictus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who agrees has named it, and the command goes on. What cannot be remembered is asked once, not for ever."""
    folder = foreign_campaign(tmp_path / "campaign", mpi=[f"x={wrapper}"], env={"A": "1"})
    asked: list[str] = []

    def agrees(text: str) -> bool:
        asked.append(text)
        return True

    monkeypatch.setattr("ictus.render.output.is_agreed", agrees)
    monkeypatch.setattr("ictus.engine.trust.agree", lambda _: None)
    assert ictus("run", folder).code == 2
    assert len(asked) == 1
    monkeypatch.setattr("ictus.engine.trust.agree", agree)
    assert "cannot be used as an MPI" in ictus("run", folder).err
    assert len(asked) == 2
    assert (tmp_path / "ran").exists()
