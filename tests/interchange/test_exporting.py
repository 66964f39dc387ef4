"""A measured campaign as the output of another suite: its statistic, computed from every process's own times."""

from pathlib import Path

import pytest
from tests.command_line import Ictus
from tests.synthetic import Scenario, write_folder

import ictus as product
from ictus.model.errors import UsageError


@pytest.fixture(scope="module")
def camp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two libraries, two operations, two sizes, two launches."""
    folder = tmp_path_factory.mktemp("exporting") / "camp"
    return write_folder(folder, Scenario(sizes=(8, 4096), nrep=20, launches=2, operations=("bcast", "alltoall")))


@pytest.mark.parametrize("suite", ["osu", "imb"])
def test_the_numbers_are_means_over_processes(camp: Path, tmp_path: Path, suite: str) -> None:
    """Mean, least and most over processes of each one's mean over valid repetitions, to a tenth of a nanosecond; the
    size of an alltoall is that of a block; labels and processes come back without options.
    """
    campaign = product.load(camp)
    written = product.export_results(campaign, suite, tmp_path / "out")
    assert sorted(path.name for path in written.files) == sorted(f"{one.folder.name}.txt" for one in campaign.launches)
    again = product.import_results(suite, written.files, tmp_path / "again")
    assert set(again.labels) == {"mpich", "openmpi"}
    samples = again.samples.collect().join(again.cases.select("case_id", "block_bytes"), on="case_id")
    files = {one.slot: Path(one.file).stem for one in again.imported.launches} if again.imported else {}
    for launch in campaign.launches:
        own = [slot for slot, name in files.items() if name == launch.folder.name]
        for case, ranks in zip(launch.record.cases, launch.record.case_ranks, strict=True):
            found = samples.filter(slot=own[0] if len(own) == 1 else -1) if suite == "imb" else samples
            rows = found.filter(found["slot"].is_in(own), operation=case.operation, block_bytes=case.block_bytes)
            expected = [ranks["mean_s"].mean(), ranks["mean_s"].min(), ranks["mean_s"].max()]
            assert list(rows.select("local_mean", "local_min", "local_max").row(0)) == pytest.approx(
                expected, abs=1e-10
            )


def test_the_command_says_what_it_wrote(ictus: Ictus, camp: Path) -> None:
    """And refuses options that would change no number of the suite."""
    answer = ictus("export", camp, "--format", "osu", "-o", "out")
    assert (answer.code, answer.err) == (0, "4 launches are in out, a file each\n")
    first = Path("out/0000-mpich.txt") if Path("out/0000-mpich.txt").exists() else Path("out/0000-openmpi.txt")
    assert "Latency Test v7.4" in first.read_text("utf-8").splitlines()[0]
    assert ictus("export", camp, "--format", "osu", "-o", "out").code == 2
    refused = ictus("export", camp, "--format", "imb", "-o", "other", "--summary", "min")
    assert refused.code == 2
    assert "its numbers are that suite's own" in refused.err


def test_cases_without_a_table_are_left_out_and_said(tmp_path: Path) -> None:
    """In place, on halves, with parameters: no suite has them. A campaign of nothing else is refused."""
    plan = {
        "mpi": ["mpich"],
        "op": "allreduce,scan",
        "sizes": "64",
        "n": "4",
        "launches": 1,
        "nrep": 5,
        "in_place": "no,yes",
    }
    campaign = product.run(plan, tmp_path / "camp", launcher="simulated")
    written = product.export_results(campaign, "osu", tmp_path / "out")
    assert any("no table for scan: left out" in text for text in written.warnings)
    assert any("no table for allreduce: left out" in text for text in written.warnings)
    only = product.run({**plan, "op": "scan"}, tmp_path / "scan", launcher="simulated")
    with pytest.raises(UsageError, match="has no case that OSU Micro-Benchmarks has a table for"):
        product.export_results(only, "osu", tmp_path / "none")


def test_a_case_measured_in_two_ways_has_no_row(tmp_path: Path) -> None:
    """A table of OSU has one."""
    plan = {
        "mpi": ["mpich"],
        "op": "bcast",
        "sizes": "8",
        "n": "2",
        "launches": 1,
        "nrep": 5,
        "procsync": "window,barrier",
    }
    campaign = product.run(plan, tmp_path / "camp", launcher="simulated")
    with pytest.raises(UsageError, match="bcast of 8 B measured in several ways"):
        product.export_results(campaign, "osu", tmp_path / "out")
    with pytest.raises(UsageError, match="cannot be written; known: osu, imb"):
        product.export_results(campaign, "reprompi", tmp_path / "out")
