"""Operations of one's own, from `--plugin` to the verdict: compared, checked, recorded, and never run unasked."""

import json
from pathlib import Path

import pytest
from tests.command_line import Ictus
from tests.native.trees import ROOT

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

SOURCE = (ROOT / "examples" / "plugins" / "pipelined_bcast.c").read_text("utf-8")
QUICK = ("-n", "2", "--sizes", "8,1Ki", "--nrep", "3", "--warmup", "1", "--procsync", "barrier", "--clocksync", "none",
         "--launches", "2", "--no-page-faults", "--contention-retries", "0")  # fmt: skip


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source of this test, and a user who has named nothing yet."""
    monkeypatch.setenv("ICTUS_STATE", str(tmp_path / "state"))
    monkeypatch.setattr("ictus.model.registries._plugged", {})
    path = tmp_path / "mine.c"
    path.write_text(SOURCE, "utf-8")
    return path


def test_operations_of_ones_own_are_measured_and_compared_in_both_libraries(
    tmp_path: Path, plugin: Path, ictus: Ictus
) -> None:
    """One source serves both; the folder is read without it; the same command continues it, and a changed file does
    not; a stranger's folder does not run it.
    """
    folder = tmp_path / "campaign"
    words = ("run", "-m", "mpich,openmpi", "--plugin", plugin, "--op", "bcast,my_bcast(segment=100)", *QUICK)
    done = ictus(*words, "-o", folder)
    assert done.code == 0, done.err
    (recorded,) = json.loads((folder / "campaign.json").read_text("utf-8"))["plan"]["plugin"]
    assert recorded["path"] == str(plugin)
    assert [one["name"] for one in recorded["operations"]] == ["my_bcast"]

    continued = ictus(*words, "-o", folder)
    assert continued.code == 0, continued.err
    plugin.write_text(SOURCE + "/* changed */\n", "utf-8")
    for again in (words, ("run",)):
        refused = ictus(*again, folder) if again == ("run",) else ictus(*again, "-o", folder)
        assert refused.code == 2
        assert str(plugin) in refused.err
        assert "SHA-256" in refused.err

    plugin.unlink()
    shown = ictus("compare", folder, "--by", "operation")
    assert shown.code == 0, shown.err
    assert "my_bcast" in shown.out
    assert ictus("verify", folder).code == 0


def test_a_folder_runs_no_plugin_that_this_user_did_not_name(
    tmp_path: Path, plugin: Path, ictus: Ictus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of another user's folder, or where its file has been replaced by one of the same name and its record with it."""
    trace = tmp_path / "ran"
    code = f'__attribute__((constructor)) static void run(void) {{ system("touch {trace}"); }}\n'
    plugin.write_text(SOURCE + code, "utf-8")
    folder = tmp_path / "campaign"
    done = ictus("run", "-m", "mpich", "--plugin", plugin, "--op", "my_bcast", *QUICK, "--launches", "1", "-o", folder)
    assert done.code == 0, done.err
    trace.unlink()  # it was run, for it was named
    document = json.loads((folder / "campaign.json").read_text("utf-8"))
    del document["checksum"]

    monkeypatch.setenv("ICTUS_STATE", str(tmp_path / "another user"))
    for recorded in (document["plan"]["plugin"], [str(plugin)]):
        document["plan"]["plugin"] = recorded
        (folder / "campaign.json").write_text(json.dumps(document), "utf-8")
        for words in (("run", folder), ("show", folder), ("compare", folder, "--by", "operation")):
            answer = ictus(*words)
            if words[0] == "run":
                assert answer.code == 2
                assert "would run what you have not named: --plugin" in answer.err
                assert str(plugin) in answer.err
        assert not trace.exists()


def test_guidelines_may_name_operations_of_plugins_on_either_side(tmp_path: Path, plugin: Path, ictus: Ictus) -> None:
    """`my_bcast <= MPI_Bcast`, and the library's own against two of which one is the user's."""
    rules = tmp_path / "rules.toml"
    rules.write_text(
        '[[guideline]]\nname = "mine"\nleft = "my_bcast"\nright = "bcast"\n'
        '[[guideline]]\nname = "theirs"\nleft = "allgather"\nright = ["gather", "my_bcast(segment=1Ki)"]\n',
        "utf-8",
    )
    folder = tmp_path / "check"
    done = ictus("check", "-m", "mpich", "--plugin", plugin, "--user", rules, "--guidelines", "user", *QUICK,
                 "--no-confirm", "-o", folder, "--json")  # fmt: skip
    assert done.code == 0, done.err
    rows = json.loads(done.out)["rows"]
    assert {row["guideline"] for row in rows} == {"mine", "theirs"}
    assert "my_bcast(n) <= MPI_Bcast(n)" in (folder / "check.html").read_text("utf-8").replace("≤", "<=")


def test_a_wrong_operation_ends_the_campaign_with_what_it_did(tmp_path: Path, plugin: Path, ictus: Ictus) -> None:
    """The sentence of the rank, and nothing of signals or launchers."""
    plugin.write_text(
        SOURCE.replace("return MPI_Waitall(", "return own->n_segments < 0 ? 1 : 0; MPI_Waitall("), "utf-8"
    )
    done = ictus("run", "-m", "openmpi", "--plugin", plugin, "--op", "my_bcast", *QUICK, "--retries", "0", "-o",
                 tmp_path / "campaign")  # fmt: skip
    assert done.code == 3
    assert "wrong behaviour of my_bcast of plug-in libmine.so" in done.err
    assert "rank 0 leaves a request incomplete of MPI_Isend" in done.err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--plugin", "absent.so"), "/absent.so': No such file or directory"),
        (("--launcher", "simulated", "--plugin", "mine.c"), "simulated ranks cannot load it"),
        (("--dry-run", "--plugin", "mine.c"), "--dry-run loads nothing"),
    ],
)
def test_what_cannot_be_loaded_is_said(plugin: Path, ictus: Ictus, words: tuple[str, ...], reason: str) -> None:
    """Before anything is launched."""
    *others, file = words
    done = ictus("run", "-m", "mpich", *others, plugin.parent / file, "--op", "my_bcast", "-o", plugin.parent / "new")
    assert done.code == 2
    assert reason in " ".join(done.err.split())
