"""Files that somebody else put there: devices, pipes and sparse files of a terabyte are refused unread."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.command_line import Ictus, succeed

from ictus.model.errors import MeasurementError, UsageError
from ictus.model.input_file import file_content, named_text, text_content
from ictus.programs.preload import read_exits
from ictus.programs.profile.counters import read_counters
from ictus.studies.sync_worlds.material import _kept
from ictus.submission.submit import read_submitted

TERABYTE = 1 << 40


def link_to_zero(path: Path) -> None:
    """It never ends."""
    path.symlink_to("/dev/zero")


def pipe(path: Path) -> None:
    """Nobody writes into it."""
    os.mkfifo(path)


def sparse(path: Path) -> None:
    """It takes no disk."""
    with path.open("wb") as file:
        file.truncate(TERABYTE)


KINDS: dict[Callable[[Path], None], str] = {
    link_to_zero: "it is not a regular file",
    pipe: "it is not a regular file",
    sparse: "it has 1,099,511,627,776",
}


@pytest.fixture(autouse=True)
def _limited() -> Iterator[None]:
    """Where a file is read after all, this process ends, and not the machine."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One launch of each library."""
    folder = tmp_path_factory.mktemp("hostile") / "campaign"
    succeed("run", "--launcher", "simulated", "--op", "bcast", "--sizes", "8", "--launches", "1", "--nrep", "3",
            "-o", folder)  # fmt: skip
    return folder


FILES = ("campaign.json", "schedule.json", "journal.jsonl", *(
    f"launches/0000-mpich/{name}"
    for name in ("launch.json", "command.json", "cases.npy", "ranks.npy", "samples.npy", "arguments.txt")
))  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_a_campaign_is_refused_by_name(
    ictus: Ictus, campaign: Path, tmp_path: Path, name: str, kind: Callable[[Path], None]
) -> None:
    """`show` took all memory of the machine for launch.json, and hung on command.json."""
    folder = tmp_path / "camp"
    shutil.copytree(campaign, folder)
    victim = next(folder.glob(name.replace("0000-mpich", "0000-*")))
    victim.unlink()
    kind(victim)
    for command in ("show", "verify") if victim.suffix != ".txt" else ("verify",):  # texts are for people
        answer = ictus(command, folder)
        assert answer.code in (1, 3), answer
        said = " ".join((answer.err + answer.out).split())
        assert victim.name in said
        holes = kind is sparse and victim.suffix == ".npy"  # it begins with zeros, which are no header
        assert KINDS[kind] in said or (holes and "has no header" in said), said


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(
    "words",
    [
        ("run", "FILE", "--dry-run", "-o", "x"),
        ("run", "--op", "bcast", "--hosts", "FILE", "--launcher", "ssh", "--dry-run", "-o", "x"),
        ("run", "--op", "bcast", "--launcher", "simulated", "--scenario", "FILE", "-o", "x"),
        ("check", "--user", "FILE", "-o", "x"),
        ("exec", "--redirect", "FILE", "--", "/bin/true"),
        ("exec", "--redirect", "FILE", "--plugin", "FILE", "--", "/bin/true"),
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_a_file_that_the_user_names_is_refused_by_name(
    ictus: Ictus, tmp_path: Path, words: tuple[str, ...], kind: Callable[[Path], None]
) -> None:
    """Plans, lists of hosts, scenarios, guidelines and profiles."""
    file = tmp_path / "given"
    kind(file)
    answer = ictus(*(str(file) if word == "FILE" else word for word in words))
    assert answer.code == 2, answer
    assert "given" in answer.err
    assert KINDS[kind] in " ".join(answer.err.split())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_a_library_left_before_a_program_is_refused_by_name(tmp_path: Path, kind: Callable[[Path], None]) -> None:
    """Counters of its calls took all memory; nobody wrote into a pipe in the place of its exits."""
    kind(tmp_path / "rank-0.counters")
    with pytest.raises(UsageError, match=f"rank-0.counters' cannot be read: {KINDS[kind]}"):
        read_counters(tmp_path / "rank-0.counters")
    kind(tmp_path / "exits.npy")
    with pytest.raises(MeasurementError, match=rf"exits\.npy(: {KINDS[kind]}| is torn or no log)"):
        read_exits(tmp_path)


NESTED = '{"a": ' * 3000 + "1" + "}" * 3000


def test_lines_that_nest_deeply_are_refused_by_name(tmp_path: Path) -> None:
    """The parser calls itself for each bracket: a RecursionError is no exit of a command."""
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "submitted.jsonl").write_text(NESTED + "\n")
    with pytest.raises(MeasurementError, match=r"submitted\.jsonl: maximum recursion depth"):
        read_submitted(tmp_path)
    (tmp_path / "worlds.jsonl").write_text(NESTED + "\n")
    with pytest.raises(MeasurementError, match=r"worlds\.jsonl, line 1: this is not JSON"):
        _kept(tmp_path / "worlds.jsonl")


def test_a_limit_is_the_largest_size_that_is_read(tmp_path: Path) -> None:
    """One byte more is refused; a text begins behind its byte order mark, and must be UTF-8."""
    file = tmp_path / "file"
    file.write_bytes(b"\xef\xbb\xbfab")
    assert file_content(file, 5) == b"\xef\xbb\xbfab"
    assert text_content(file) == "ab"
    with pytest.raises(MeasurementError, match="it has 5 bytes; a file of its kind has 4 at most"):
        file_content(file, 4)
    file.write_bytes(b"\xff")
    with pytest.raises(UsageError, match=r"list '.*file' cannot be read: it is not a text in UTF-8"):
        named_text(file, "list")


def test_an_interrupt_waits_for_no_thread_that_reads() -> None:
    """One TERM did not end a command that read a file of a terabyte in a thread."""
    program = """
import os, signal, threading, time
from ictus.cli.ending import end_once
from ictus.store.threads import in_threads
end_once()
assert in_threads(lambda number: number * number, range(100)) == [number * number for number in range(100)]
def forever(number):
    if number == 0:
        signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)
    while True:
        time.sleep(3600)
try:
    in_threads(forever, range(2))
except KeyboardInterrupt:
    raise SystemExit(3)
"""
    done = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (3, "")


def test_an_exception_in_a_thread_is_raised() -> None:
    """The first one; what is left is not begun."""
    from ictus.store.threads import in_threads

    with pytest.raises(ZeroDivisionError):
        in_threads(lambda number: 1 // number, [1, 0])
