"""One real campaign from beginning to end, with the command that users type and both embedded libraries."""

import csv
import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.command_line import run_ictus, succeed
from tests.e2e.running import processes_of
from tests.launch_document import launch_document

import ictus

pytestmark = [pytest.mark.mpi, pytest.mark.e2e, pytest.mark.beside]

ICTUS = Path(sys.executable).with_name("ictus")

PLAN = ("--op", "bcast,alltoall", "--sizes", "8..64", "--launches", "3", "--nrep", "50", "--seed", "7")
QUICK = ("--clocksync", "hca3(span=20ms,fitpoints=50,exchanges=20)", "--contention-retries", "0", "--no-page-faults")


def rows(*words: object) -> list[dict[str, Any]]:
    """The rows of a reading command's `--json`."""
    done = succeed(*words, "--json")
    document = json.loads(done.out)
    assert set(document) >= {"schema", "warnings", "rows"}
    found: list[dict[str, Any]] = document["rows"]
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of 3 launches a side, in a folder with a blank in its name."""
    target = tmp_path_factory.mktemp("a campaign") / "real"
    done = run_ictus("run", "-m", "mpich", "-m", "openmpi", *PLAN, *QUICK, "-o", target)
    assert done.code == 0, done.err
    return target


def test_each_launch_has_probes_of_the_machine(folder: Path) -> None:
    """Before the first case and at the end of the block: times and speeds that any machine has."""
    for launch in (folder / "launches").iterdir():
        probes = launch_document(launch)["machine"]["probes"]
        assert [probe["block"] for probe in probes] in ([-1, 0], [-1]), "the second where the first took little time"
        for probe in probes:
            assert probe["multiplications_hz"]["min"] > 1e7
            assert 1e7 < probe["copy_together_bytes_per_s"]["min"] < 1e13
            assert probe["leader_round_trip_s"] == {"min": None, "max": None}, "one host"
            line, block = probe["line_round_trip_s"]["max"], probe["block_round_trip_s"]["max"]
            assert line is None or 1e-9 < line < 1e-3
            # Busy cores may leave either without a quiet exchange in its time.
            assert line is None or block is None or block > 0.5 * line


def test_all_launches_are_there_interleaved_in_blocks(folder: Path) -> None:
    """Each block of the schedule holds each library once, and the journal says that all were accepted."""
    schedule = json.loads((folder / "schedule.json").read_text("utf-8"))["slots"]
    for block in range(3):
        assert sorted(slot["mpi"] for slot in schedule if slot["block"] == block) == ["mpich", "openmpi"]
    journal = [json.loads(line) for line in (folder / "journal.jsonl").read_text("utf-8").splitlines()]
    assert sum(entry["event"] == "accepted" for entry in journal) == 6
    assert journal[-1]["event"] == "done"


def test_every_launch_records_its_own_library(folder: Path) -> None:
    """What MPI_Get_library_version said in the launch, not what was asked for."""
    for launch in ictus.load(folder).launches:
        said = launch.record.head.mpi.library_version.lower().replace(" ", "")
        assert launch.mpi in said
        assert launch.record.n_ranks == 2
        assert len(set(launch.record.ranks["cpus_allowed"].tolist())) == 2, "one core each"


def test_show_gives_a_row_for_each_library_and_case(folder: Path) -> None:
    """4 sizes of bcast; 8 B and 16 B of alltoall come to the same at 2 ranks and 8-byte elements."""
    shown = rows("show", folder)
    assert len(shown) == 2 * (4 + 3)
    assert all(row["median_s"] > 0 for row in shown)


def test_compare_says_that_three_launches_cannot_decide(folder: Path) -> None:
    """The smallest two-sided p of 3 against 3 is 0.1: no verdict may claim a difference."""
    compared = rows("compare", folder, "mpich", "openmpi")
    assert len(compared) == 7
    keys = {"case", "a", "b", "ratio", "ratio_low", "ratio_high", "p_value", "p_adjusted", "stars", "verdict"}
    for row in compared:
        assert keys <= set(row)
        assert row["p_value"] >= 0.1 - 1e-12
        assert row["verdict"] in {"cannot-decide", "same"}


def test_csv_and_json_say_the_same(folder: Path) -> None:
    """One row a case in both."""
    text = run_ictus("compare", folder, "--csv").out
    ratios = [float(row["ratio"]) for row in csv.DictReader(io.StringIO(text))]
    assert ratios == pytest.approx([row["ratio"] for row in rows("compare", folder)])


def test_the_python_interface_gives_the_same_rows(folder: Path) -> None:
    """`ictus.compare` and the command are one."""
    campaign = ictus.load(folder)
    frame = ictus.compare(campaign, "mpich", "openmpi").to_frame()
    assert frame["ratio"].to_list() == pytest.approx([row["ratio"] for row in rows("compare", folder)])
    valid = campaign.samples.filter(pl.col("flags") == 0).group_by("mpi", "case_id", "slot").len().collect()
    assert valid["len"].max() == 50


def test_the_report_is_one_file_and_the_same_each_time(folder: Path) -> None:
    """Self-contained, under 3 MB, byte for byte from the same data."""
    assert run_ictus("report", folder).code == 0
    first = (folder / "report.html").read_bytes()
    assert run_ictus("report", folder).code == 0
    assert (folder / "report.html").read_bytes() == first
    assert len(first) < 3_000_000
    for reference in (b'src="http', b'href="http', b"@import", b"url(http"):
        assert reference not in first


def test_a_finished_campaign_has_nothing_left_to_do(folder: Path) -> None:
    """`ictus run` on it measures nothing again; another plan is refused with the field that differs."""
    before = sorted(path.name for path in (folder / "launches").iterdir())
    assert run_ictus("run", "-o", folder).code == 0
    assert sorted(path.name for path in (folder / "launches").iterdir()) == before
    other = run_ictus("run", "-o", folder, "--nrep", "60")
    assert other.code == 2
    assert "repetition" in other.err or "nrep" in other.err


def test_an_interrupted_campaign_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Ctrl-C in the middle of a launch: nothing measured is lost, no process is left, the rest follows later."""
    target = tmp_path / "interrupted"
    plan = ("--op", "bcast", "--sizes", "8", "--launches", "3", "--nrep", "300", "--seed", "7")
    words = ("run", "-m", "mpich", "-m", "openmpi", *plan, *QUICK, "-o", target)
    running = subprocess.Popen((ICTUS, *map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while (
        len([path for path in target.glob("launches/*/summary.parquet") if path.parent.suffix == ""]) < 2
        and time.monotonic() < deadline
    ):
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    error = running.communicate(timeout=60)[1]
    assert running.returncode == 3, error
    assert not processes_of(target)
    there = {path.name: (path / "samples.npy").read_bytes() for path in target.glob("launches/*") if path.suffix == ""}
    assert 2 <= len(there) < 6
    assert not list(target.glob("launches/*.partial"))
    assert run_ictus("run", "-o", target).code == 0
    assert len(ictus.load(target).launches) == 6
    for name, samples in there.items():
        assert (target / "launches" / name / "samples.npy").read_bytes() == samples


def test_one_library_against_itself_is_two_labels(tmp_path: Path) -> None:
    """A/A: the same installation twice, told apart by the labels only."""
    target = tmp_path / "aa"
    done = run_ictus(
        "run", "-m", "one=mpich", "-m", "two=mpich", *PLAN[:4], "--launches", "2", "--nrep", "20", *QUICK, "-o", target
    )
    assert done.code == 0, done.err
    assert {launch.mpi for launch in ictus.load(target).launches} == {"one", "two"}
