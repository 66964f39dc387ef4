"""`ictus exec` as a user calls it, in a process of its own, on a wheel."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.command_line import run_ictus
from tests.native.trees import NATIVE, installation

from ictus.model.plugin import Plugin
from ictus.mpi.operation_library import operation_library

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

ROOT = Path(__file__).parents[2]


def command(*words: object) -> tuple[str, ...]:
    """The words of a call."""
    return (sys.executable, "-m", "ictus", "exec", *(str(word) for word in words))


def called(*words: object, folder: Path) -> "subprocess.CompletedProcess[str]":
    """What the call left."""
    return subprocess.run(command(*words), cwd=folder, check=False, capture_output=True, text=True, timeout=240)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ./classic_benchmark in it, for Open MPI, and ./foreign, for MPICH."""
    folder = tmp_path_factory.mktemp("exec")
    source = NATIVE / "tests/programs/classic_benchmark.c"
    for label, name in (("openmpi", "classic_benchmark"), ("mpich", "foreign")):
        wrapper = installation(label).wrapper.with_name("mpicc")
        subprocess.run((wrapper, "-O2", source, "-o", folder / name), check=True)
    return folder


def test_output_and_exit_code_are_passed_and_the_barriers_are_told(folder: Path) -> None:
    """Standard output is the program's alone; the table of exits comes behind it, on standard error."""
    done = called("-m", "openmpi", "-n", 2, "--log", "log", "--", "./classic_benchmark", 8, 5, folder=folder)
    assert done.returncode == 5, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["rank", "rank"]
    assert "8 barriers of 1 communicator replaced by harmonize; " in done.stderr
    assert "Exit skew of MPI_COMM_WORLD  8 barriers, in " in done.stderr
    assert (folder / "log/exits.npy").is_file()
    assert json.loads((folder / "log/preload.json").read_text())["state"] == "finalised"


def test_json_is_alone_on_standard_output(folder: Path) -> None:
    """The program's output goes to standard error; variables reach the ranks."""
    words = ("--procsync", "barrier(binomial)", "--set", "ICTUS_PRELOAD_LOG_LIMIT=16", "--log", "log2", "--json")
    done = called("-m", "openmpi", *words, "./classic_benchmark", 20, folder=folder)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["schema"], answer["exit_code"], answer["barriers"]) == ("ictus.exec/1", 0, 20)
    assert answer["rows"][0]["stride"] == 2
    assert not {"clocksync", "clock", "elapsed_s", "state", "log"} & set(answer), "keys that the report has beside"
    assert [one["barriers"] for one in answer["exit_skew"]] == [10, 10]
    assert done.stderr.count("rank ") == 2


def test_a_program_without_mpi_or_without_an_end_is_told(folder: Path) -> None:
    """Nothing was replaced, or nothing is known of it."""
    done = called("-m", "openmpi", "sh", "-c", "echo done", folder=folder)
    assert (done.returncode, done.stdout) == (0, "done\ndone\n")
    assert "warning: no MPI_Init was seen, no barrier was replaced" in done.stderr
    done = called("-m", "openmpi", "--log", "log3", "./classic_benchmark", 2, 0, "quit", folder=folder)
    if done.returncode == 0:  # a launcher may mind
        assert "warning: the program ended without MPI_Finalize" in done.stderr


WRONG = {
    (): "exec: no program; for example: ictus exec -m openmpi",
    ("./nothing",): "program './nothing' does not exist",
    ("-m", "openmpi", "./foreign"): "is linked against libmpi.so.12, openmpi (openmpi ",
    (
        "-m",
        "openmpi",
        "--procsync",
        "harmonise",
        "./classic_benchmark",
    ): "--procsync 'harmonise': unknown procsync 'harmonise'",
    ("-m", "openmpi", "--procsync", "window", "./classic_benchmark"): "give a size, such as window(size=100us)",
    ("-m", "openmpi", "--env", "A", "./classic_benchmark"): "--env 'A': expected NAME=VALUE",
    ("-m", "openmpi", "--timeout", "soon", "./classic_benchmark"): "--timeout: ",
}


@pytest.mark.parametrize("words", WRONG)
def test_what_cannot_be_is_said_before_anything_starts(
    words: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 2, one line, no rank."""
    monkeypatch.chdir(folder)
    done = run_ictus("exec", *words)
    assert (done.code, done.out) == (2, ""), done.err
    assert WRONG[words] in done.err.splitlines()[-1]
    assert "preload library" not in done.err, "that of another MPI is refused before the minute of a build"


def test_time_out_and_interrupt_end_all_ranks(folder: Path) -> None:
    """Exit code 3, and no rank is left."""
    mark = f"600.{os.getpid()}"
    done = called("-m", "openmpi", "--timeout", "2s", "sleep", mark, folder=folder)
    assert done.returncode == 3
    assert "--timeout 2s: the program had not ended by then; all ranks are ended" in done.stderr
    assert not running(mark)
    process = subprocess.Popen(command("-m", "openmpi", "sleep", mark), cwd=folder, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not running(mark, "sleep") and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 3
    assert not running(mark)


def running(mark: str, program: str = "") -> list[str]:
    """Processes with this word among theirs; of one program, if named."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if mark in words and (not program or Path(words[0]).name == program):
            found.append(" ".join(words))
    return found


def test_a_plugin_runs_only_where_the_user_names_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A profile with a plug-in is refused, also with a file of another content; with its source it counts."""
    own = ROOT / "examples/plugins/pipelined_bcast.c"
    plugin = operation_library(installation("mpich"), Plugin(str(own)), print)
    wrapper = installation("mpich").wrapper.with_name("mpicc")
    source = ROOT / "native/tests/programs/redirected_calls.c"
    subprocess.run((wrapper, source, "-pthread", "-o", folder / "calls"), check=True)
    digest = hashlib.sha256(plugin.read_bytes()).hexdigest()
    lines = (f"plugin my_bcast bcast {digest} {plugin}", "bcast 2 1 4096 my_bcast(segment=100)")
    (folder / "mine.txt").write_text("\n".join(("ictus-redirect 1", *lines, "")))
    words = ("-m", "mpich", "-n", 2, "--redirect", "mine.txt")
    monkeypatch.chdir(folder)
    for more in ((), ("--plugin", "mine.txt")):
        refused = run_ictus("exec", *words, *more, "--", "./calls")
        assert refused.code == 2
        assert f"would run operation 'my_bcast' of a plug-in that you have not named: {plugin}" in refused.err
    done = called(*words, "--plugin", own, "--json", "--", "./calls", folder=folder)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    (row,) = answer["rows"]
    assert (row["mockup"], row["calls"] > 0) == ("my_bcast(segment=100)", True)
    assert (answer["schema"], answer["exit_code"], answer["rerouted"]) == ("ictus.exec-redirect/1", 0, row["calls"])


def test_collectives_are_rerouted_and_told(folder: Path) -> None:
    """`--redirect`: the example of redirect.md gives the same result, and every reduce_scatter is another call."""
    source = NATIVE / "examples/power_iteration.c"
    wrapper = installation("mpich").wrapper.with_name("mpicc")
    subprocess.run((wrapper, "-O2", source, "-o", folder / "power", "-lm"), check=True)
    profile = "ictus-redirect 1\nreduce_scatter 2 1 16384 reduce_scatter_as_allreduce GL9\n"
    (folder / "faster.txt").write_text(profile)
    words = ("-m", "mpich", "-n", 2, "--redirect", "faster.txt")
    done = called(*words, "--", "./power", 100, folder=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("eigenvalue = 12.1718750000\nloop_s = ")
    assert "200 of 422 calls rerouted by " in done.stderr
    assert "reduce_scatter: 200 calls, 200 as reduce_scatter_as_allreduce" in done.stderr
