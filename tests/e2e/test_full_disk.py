"""A disk that fills up, and one that cannot be written to: nothing that was complete is lost, and with space again the
same command continues. The disk is a small one of memory, in a namespace of its own.
"""

import filecmp
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.command_line import run_ictus
from tests.native.trees import ROOT, installation

from ictus.mpi.build import build_core
from ictus.store.campaign import load

from .running import QUICK

REAL = ("-m", "mpich", "--op", "bcast", "--sizes", "8", "--nrep", "1500", *QUICK)
SIMULATED = ("--launcher", "simulated", "--op", "bcast", "--sizes", "8,64", "--nrep", "200", "--seed", "7")


pytestmark = pytest.mark.usefixtures("hosts_can_be_made")
"""A kernel that lets one make hosts lets one mount a disk too."""


class Disk:
    """Steps on a disk of that size, mounted at `place`, all in one process; what commands end with and leave is in
    `kept`.
    """

    def __init__(self, folder: Path, kib: int) -> None:
        self.place, self.kept = folder / "disk", folder / "kept"
        for one in (self.place, self.kept):
            one.mkdir()
        self._steps: list[list[str]] = []
        self.shell(f"mount -t tmpfs -o size={kib}k tmpfs {shlex.quote(str(self.place))}")

    def remount(self, options: str) -> None:
        """With another size, or read-only."""
        self.shell(f"mount -o remount,{options} {shlex.quote(str(self.place))}")

    def ictus(self, *words: object) -> None:
        """Its exit code, what it prints and the disk afterwards are kept under the number of the command."""
        self._steps.append(["ictus", *map(str, words)])

    def shell(self, line: str) -> None:
        """A line for the shell between two commands, which must succeed."""
        self._steps.append(["sh", "-c", line])

    def run(self) -> None:
        """All of it."""
        (self.kept / "steps").write_text(json.dumps(self._steps))
        taken = f"from {__name__} import Disk; Disk.take({str(self.place)!r}, {str(self.kept)!r})"
        words = ("unshare", "--map-root-user", "--mount", sys.executable, "-c", taken)
        ended = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
        assert ended.returncode == 0, ended.stderr

    @staticmethod
    def take(place: str, kept: str) -> None:
        """The steps, where the disk may be mounted."""
        number = 0
        for step in json.loads(Path(kept, "steps").read_text()):
            if step[0] != "ictus":
                subprocess.run(step, check=True)
                continue
            number += 1
            answer, left = run_ictus(*step[1:]), Path(kept, str(number))
            left.mkdir()
            for name, text in (("out", answer.out), ("err", answer.err), ("code", str(answer.code))):
                (left / name).write_text(text)
            subprocess.run(("cp", "-a", place, left / "disk"), check=True)

    def code(self, number: int) -> int:
        """Exit code of a command, from 1."""
        return int((self.kept / str(number) / "code").read_text())

    def said(self, number: int) -> str:
        """Its standard error."""
        return " ".join((self.kept / str(number) / "err").read_text().split())

    def after(self, number: int) -> Path:
        """The disk behind it."""
        return self.kept / str(number) / "disk"


def complete_launches(folder: Path) -> dict[str, Path]:
    """By name, those that the journal has accepted; a last line that was cut is none."""
    accepted = {}
    journal = folder / "journal.jsonl"
    for line in journal.read_bytes().splitlines(keepends=True) if journal.exists() else ():
        if line.endswith(b"\n"):
            entry = json.loads(line)
            if entry["event"] == "accepted":
                accepted[entry["folder"]] = folder / entry["folder"]
    return accepted


def assert_intact(before: Path, after: Path) -> None:
    """What was complete is the same byte for byte, and so is the schedule where it was written."""
    for name, launch in complete_launches(before).items():
        files = [path.name for path in launch.iterdir() if path.suffix != ".parquet" and ".writing" not in path.name]
        assert filecmp.cmpfiles(launch, after / name, files, shallow=False) == (files, [], [])
    if (before / "schedule.json").exists():
        assert (before / "schedule.json").read_bytes() == (after / "schedule.json").read_bytes()


def disk_fills_up(folder: Path, kib: int, *words: str, launches: int) -> tuple[int, int]:
    """How the run ended on the small disk, and how many launches were complete then; with space it ends well."""
    disk = Disk(folder, kib)
    disk.ictus("run", *words, "--launches", launches, "-o", disk.place / "c")
    disk.remount("size=64m")
    disk.ictus("run", *words, "--launches", launches, "-o", disk.place / "c")
    disk.run()
    assert "Traceback" not in disk.said(1)
    assert disk.code(2) == 0, disk.said(2)
    campaign = load(disk.after(2) / "c")
    assert campaign.complete
    assert campaign.warnings == ()
    first = disk.after(1) / "c"
    if disk.code(1) != 0:
        assert disk.code(1) in (2, 3)
        assert "no space is left" in disk.said(1) or "No space left" in disk.said(1), disk.said(1)
        assert_intact(first, disk.after(2) / "c")
    return disk.code(1), len(complete_launches(first))


@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.e2e
def test_a_disk_that_fills_up_under_real_ranks_loses_no_complete_launch(tmp_path: Path) -> None:
    """Samples of the third launch do not fit any more."""
    build_core(installation("mpich"))
    code, complete = disk_fills_up(tmp_path, 600, *REAL, launches=4)
    assert code == 3
    assert 1 <= complete <= 3


AT_AN_ARRAY, AT_A_TABLE = 32, 88


@pytest.mark.parametrize(
    "kib",
    [
        AT_AN_ARRAY,
        AT_A_TABLE,
        *(
            pytest.param(kib, marks=pytest.mark.long)
            for kib in range(8, 408, 8)
            if kib not in (AT_AN_ARRAY, AT_A_TABLE)
        ),
    ],
)
def test_a_disk_may_fill_up_at_every_file(tmp_path: Path, kib: int) -> None:
    """Fifty sizes, a few blocks apart. At two of them a library's error does not say that the disk is full."""
    disk_fills_up(tmp_path, kib, *SIMULATED, launches=4)


def test_a_full_disk_keeps_the_last_report_and_a_read_only_one_is_read(tmp_path: Path) -> None:
    """Nothing half-written lies beside the report; `show` says what it said; `run` names what it cannot write."""
    disk = Disk(tmp_path, 8000)
    folder, filler = disk.place / "c", shlex.quote(str(disk.place / "filler"))
    disk.ictus("run", *SIMULATED, "--launches", "2", "-o", folder)
    disk.ictus("report", folder)
    disk.shell(f"cat /dev/zero > {filler} 2>/dev/null || true")
    disk.ictus("report", folder, "--level", "0.01")
    disk.shell(f"rm {filler}")
    disk.ictus("show", folder)
    disk.remount("ro")
    disk.ictus("show", folder)
    disk.ictus("run", "-o", folder)
    disk.run()
    assert [disk.code(number) for number in range(1, 6)] == [0, 0, 3, 0, 0], disk.said(3)
    assert "No space left" in disk.said(3)
    before, full = (disk.after(number) / "c" for number in (2, 3))
    assert (full / "report.html").read_bytes() == (before / "report.html").read_bytes()
    assert (disk.kept / "4/out").read_bytes() == (disk.kept / "5/out").read_bytes()
    assert disk.code(6) in (2, 3)
    assert str(disk.place) in disk.said(6)
    assert not any("Traceback" in disk.said(number) for number in range(1, 7))
