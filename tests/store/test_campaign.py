"""Loading a campaign folder."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.launch_document import forget_checksums

from ictus.advice.request import AdviseRecord
from ictus.comparison.matching import medians
from ictus.guidelines.dims.record import DimsDocument
from ictus.launch.launchers.simulated import Scenario
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.reduction import FIELDS, Metric, Reduction, Summary
from ictus.store.campaign import load
from ictus.store.columns import SUMMARY, reduced
from ictus.store.manifest import write_launches, write_schedule
from ictus.studies.clocks.record import NAME as CLOCKS
from ictus.studies.communicators.record import CommunicatorsDocument
from ictus.studies.exit_skew.record import NAME as EXIT_SKEW
from ictus.studies.network.record import NAME as NETWORK
from ictus.studies.overlap.material import REQUEST as OVERLAP
from ictus.studies.reproduce.record import DOCUMENT as REPRODUCTION
from ictus.studies.rtt.record import NAME as ROUND_TRIPS
from ictus.tuning.study import DOCUMENT as TUNING

from .conftest import MakeFolder

OTHERS = {
    AdviseRecord.FILE: "advise", TUNING: "tune", REPRODUCTION: "reproduce", OVERLAP: "overlap", NETWORK: "network",
    EXIT_SKEW: "barriers skew", CLOCKS: "clocks", ROUND_TRIPS: "clocks rtt", DimsDocument.FILE: "dims",
    CommunicatorsDocument.FILE: "communicators", "rank-0.counters": "profile",
}  # fmt: skip
"""What other commands leave in their folders, and who they are."""
NOISY = Scenario(noise=0.1, launch_spread=0.05, late_share=0.2, factors={"a": 1.0, "b": 2.0})


def test_a_campaign_is_what_was_planned_and_what_came_of_it(make_folder: MakeFolder) -> None:
    """Plan, cases, libraries and schedule from campaign.json and schedule.json; launches from the journal."""
    campaign = load(make_folder())
    assert (campaign.seed, campaign.plan.seed, campaign.labels, campaign.complete) == (7, 7, ("a", "b"), True)
    assert campaign.cases["operation"].to_list() == ["bcast", "bcast", "alltoall", "alltoall"]
    assert campaign.cases["size_bytes"].to_list() == [64, 512, 64, 512]
    assert {launch.mpi for launch in campaign.launches} == {"a", "b"}
    assert campaign.libraries[0].library_version == "Simulated MPI 1.0"


def test_summaries_are_exact_in_a_world_without_noise(make_folder: MakeFolder) -> None:
    """Median, mean and extremes are factor * (1 us + bytes / (1 GB/s)): 1.064 us for 64 B under library a."""
    campaign = load(make_folder())
    expected = {
        (label, size): factor * (1e-6 + size / 1e9) for label, factor in (("a", 1.0), ("b", 2.0)) for size in (64, 512)
    }
    rows = campaign.summaries.join(campaign.cases, on="case_id")
    assert rows.height == 4 * 4
    for row in rows.iter_rows(named=True):
        for statistic in ("median", "mean", "min", "max", "q1", "q3"):
            assert row[statistic] == pytest.approx(expected[row["mpi"], row["size_bytes"]], rel=1e-14)
        assert (row["attempted"], row["valid"], row["kept"], row["outliers"]) == (40, 40, 40, 0)


def test_summaries_agree_with_numpy(make_folder: MakeFolder) -> None:
    """Independent of ours: flags, type-7 quartiles, Tukey's fences, median, skew and bound, case by case."""
    campaign = load(make_folder(NOISY))
    for launch in campaign.launches:
        samples = np.load(launch.folder / "samples.npy")
        for row in campaign.summaries.filter(slot=launch.slot.slot).iter_rows(named=True):
            case = samples[samples["case_id"] == row["case_id"]]
            valid = case[case["flags"] == 0]["makespan"]
            q1, q3 = np.percentile(valid, [25, 75])
            kept = valid[(valid >= q1 - 1.5 * (q3 - q1)) & (valid <= q3 + 1.5 * (q3 - q1))]
            assert (row["attempted"], row["valid"], row["late"], row["kept"]) == (50, 40, 10, kept.size)
            assert row["median"] == pytest.approx(float(np.median(kept)), rel=1e-14)
            assert row["start_skew"] == pytest.approx(50e-9)
            assert row["clock_bound"] == pytest.approx(100e-9)


BY_NUMPY = {
    "median": np.median, "mean": np.mean, "min": np.min,
    "p90": lambda kept: np.percentile(kept, 90), "p95": lambda kept: np.percentile(kept, 95),
}  # fmt: skip


@pytest.mark.parametrize(("metric", "field"), [("auto", "makespan"), *FIELDS.items()])
@pytest.mark.parametrize("summary", BY_NUMPY)
def test_every_metric_and_summary_agrees_with_numpy(
    make_folder: MakeFolder, metric: Metric, field: str, summary: Summary
) -> None:
    """Of valid samples alone: fences are there for median and mean, and off where the ends are asked for."""
    folder = make_folder(NOISY, nrep=250)
    campaign = load(folder, reduction=Reduction(metric, summary))
    rows = medians(campaign).iter_rows(named=True)
    found = {(row["slot"], row["case_id"]): (row["value"], row["metric"]) for row in rows}
    for launch in campaign.launches:
        samples = np.load(launch.folder / "samples.npy")
        for case_id in np.unique(samples["case_id"]).tolist():
            valid = samples[(samples["case_id"] == case_id) & (samples["flags"] == 0)][field]
            q1, q3 = np.percentile(valid, [25, 75])
            reach = 1.5 * (q3 - q1) if summary in ("median", "mean") else np.inf
            kept = valid[(valid >= q1 - reach) & (valid <= q3 + reach)]
            value, of = found[launch.slot.slot, case_id]
            assert value == pytest.approx(float(BY_NUMPY[summary](kept)), rel=1e-12)
            assert FIELDS[of] == field


@pytest.mark.parametrize("factor", [None, 0.5])
def test_other_fences_agree_with_numpy(make_folder: MakeFolder, factor: float | None) -> None:
    """The one number of each launch is the mean of what other fences keep, or of all; what is stored stays as it is."""
    folder = make_folder(NOISY)
    usual = load(folder)
    campaign = load(folder, reduction=Reduction("auto", "mean", factor))
    found = {(row["slot"], row["case_id"]): row["value"] for row in medians(campaign).iter_rows(named=True)}
    for launch in campaign.launches:
        samples = np.load(launch.folder / "samples.npy")
        for case_id in np.unique(samples["case_id"]).tolist():
            valid = samples[(samples["case_id"] == case_id) & (samples["flags"] == 0)]["makespan"]
            q1, q3 = np.percentile(valid, [25, 75])
            reach = np.inf if factor is None else factor * (q3 - q1)
            kept = valid[(valid >= q1 - reach) & (valid <= q3 + reach)]
            assert found[launch.slot.slot, case_id] == pytest.approx(float(np.mean(kept)), rel=1e-12)
    assert load(folder).summaries.equals(usual.summaries)


@pytest.mark.parametrize("fewer", [0, 1])
@pytest.mark.parametrize(("summary", "least"), [("p90", 100), ("p95", 200), ("p99", 1000)])
def test_a_tail_needs_ten_samples_beyond_it_in_every_launch(
    make_folder: MakeFolder, summary: Summary, least: int, fewer: int
) -> None:
    """One sample fewer and there is no number at all."""
    found = load(make_folder(nrep=least - fewer), reduction=Reduction(summary=summary)).summaries
    assert found["value"].null_count() == fewer * found.height
    assert found["too_few"].unique().to_list() == [least - 1 if fewer else None]


def test_one_launch_with_too_few_samples_takes_the_tail_of_its_case(make_folder: MakeFolder) -> None:
    """The launches with few samples may be the slow ones: dropping them alone would be a choice by the result."""
    folder = make_folder(nrep=100)
    campaign = load(folder, reduction=Reduction(summary="p90"))
    frame = campaign.summaries.with_columns(
        pl.when(pl.col("slot") == 0, pl.col("case_id") == 0).then(60).otherwise(pl.col("kept")).alias("kept"),
        headline=pl.lit("makespan"),
        quantile=pl.col("value"),
    )
    found = reduced(frame.drop("value", "metric", "too_few"), campaign.reduction)
    own = found.filter(mpi=campaign.launches[0].mpi, case_id=0)
    assert own["value"].null_count() == own.height > 1
    assert own["too_few"].unique().to_list() == [60]
    assert found["value"].null_count() == own.height


def test_a_metric_that_launches_do_not_have_is_refused(make_folder: MakeFolder) -> None:
    """Named as typed, with the launch and what it lacks."""
    with pytest.raises(UsageError, match=r"metric='makespan': launch 0000-\w, case \d: clocks were not synchronised"):
        load(make_folder(clocksync="none", procsync="barrier"), reduction=Reduction("makespan"))


def test_the_time_of_a_root_that_was_not_timed_is_refused(make_folder: MakeFolder) -> None:
    """Launches of earlier versions kept that of rank 0 alone; other programs may leave out any field."""
    folder = make_folder(op="bcast", root="1")
    with pytest.raises(UsageError, match="its root is 1 of comm world, and this launch, of an earlier version"):
        load(folder, reduction=Reduction("root"))
    path = next((folder / "launches").iterdir())
    for launch in (folder / "launches").iterdir():
        cases = np.load(launch / "cases.npy")
        cases["timed_root"] = 1
        np.save(launch / "cases.npy", cases)
    strip(folder)
    assert load(folder, reduction=Reduction("root")).summaries["metric"].unique().to_list() == ["root"]
    samples = np.load(path / "samples.npy")
    samples["local_min"] = np.nan
    np.save(path / "samples.npy", samples)
    with pytest.raises(UsageError, match=rf"launch {path.name}, case \d: its samples have no local_min"):
        load(folder, reduction=Reduction("min"))


@pytest.mark.parametrize(
    ("reduction", "said"),
    [
        ({"metric": "span"}, "metric='span': unknown metric; known: auto, makespan, max, mean, min, root"),
        ({"summary": "p98"}, "summary='p98': unknown summary; known: median, mean, min, p90, p95, p99"),
        ({"outliers": -1.0}, "outliers=-1.0: expected 'off' or a factor"),
    ],
)
def test_a_reduction_that_there_is_not_is_refused(reduction: dict[str, Any], said: str) -> None:
    """What is known is listed."""
    with pytest.raises(UsageError, match=re.escape(said)):
        Reduction(**reduction)


def test_samples_are_those_of_the_original_files_with_names(make_folder: MakeFolder) -> None:
    """Every field, every repetition, in the order measured; factors spelled out."""
    campaign = load(make_folder(NOISY))
    frame = campaign.samples.collect()
    launch = campaign.launches[2]
    original = np.load(launch.folder / "samples.npy")
    part = frame.filter(slot=2)
    for name in original.dtype.names or ():
        assert np.array_equal(part[name].to_numpy(), original[name])
    assert part["mpi"].unique().to_list() == [launch.mpi]
    cases = dict(campaign.cases.select("case_id", "operation").iter_rows())
    assert part["operation"].to_list() == [cases[case_id] for case_id in original["case_id"]]
    assert frame.height == 4 * 4 * 50


def test_samples_are_read_when_asked_for(make_folder: MakeFolder) -> None:
    """A lazy frame: filters and columns reach the files."""
    lazy = load(make_folder()).samples
    assert isinstance(lazy, pl.LazyFrame)
    median = lazy.filter((pl.col("operation") == "bcast") & (pl.col("mpi") == "a") & (pl.col("size_bytes") == 64))
    assert median.select(pl.col("makespan").median()).collect().item() == pytest.approx(1.064e-6)


def test_without_synchronised_clocks_the_headline_is_the_local_maximum(make_folder: MakeFolder) -> None:
    """What only a global clock can tell is null, never a number."""
    summaries = load(make_folder(clocksync="none", procsync="barrier")).summaries
    assert summaries["metric"].unique().to_list() == ["max"]
    assert summaries["median"].null_count() == 0
    assert summaries["start_skew"].null_count() == summaries.height


def test_a_case_without_a_valid_sample_is_null_and_not_zero(make_folder: MakeFolder) -> None:
    """All late: counted, not described."""
    summaries = load(make_folder(Scenario(late_share=1.0))).summaries
    assert summaries["valid"].unique().to_list() == [0]
    assert summaries["late"].unique().to_list() == [40]
    for name in ("median", "mean", "min", "max", "q1", "q3", "half_shift", "start_skew"):
        assert summaries[name].null_count() == summaries.height


def test_the_columns_of_summaries_are_the_documented_ones(make_folder: MakeFolder) -> None:
    """In the order of file-format.md; types are pinned, so that folders of all versions can be put together."""
    campaign = load(make_folder())
    assert dict(pl.read_parquet(campaign.launches[0].folder / "summary.parquet").schema) == SUMMARY
    kept = {name: dtype for name, dtype in SUMMARY.items() if name != "headline"}
    assert dict(campaign.summaries.schema) == {**kept, "metric": pl.String, "too_few": pl.Int64, "value": pl.Float64}


def test_contended_tries_are_loaded_on_request_only(make_folder: MakeFolder) -> None:
    """Results can be shown with and without."""
    folder = make_folder(Scenario(faults={1: ("contended",)}))
    assert len(load(folder).launches) == 4
    everything = load(folder, contended=True)
    assert [launch.accepted for launch in everything.launches] == [True, True, False, True, True]
    assert everything.summaries["contended"].sum() == 4


def strip(folder: Path) -> None:
    """Leave only what the core and a third party write."""
    for path in [*folder.rglob("*.parquet"), folder / "journal.jsonl"]:
        path.unlink()


def test_a_folder_of_others_is_loaded_alike(make_folder: MakeFolder) -> None:
    """Without Parquet files and journal the numbers are the same; that the journal is missing is said."""
    folder = make_folder(NOISY)
    ours = load(folder)
    strip(folder)
    theirs = load(folder)
    assert theirs.warnings == ("there is no journal.jsonl: all 4 launches are taken as accepted",)
    assert theirs.summaries.equals(ours.summaries)
    assert theirs.samples.collect().equals(ours.samples.collect())
    assert (folder / "launches" / "0000-b" / "summary.parquet").exists() or (
        folder / "launches" / "0000-a" / "summary.parquet"
    ).exists()


def test_a_folder_that_cannot_be_written_is_loaded_all_the_same(
    make_folder: MakeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive, read-only: frames stay in memory, and nothing is left behind."""
    folder = make_folder(NOISY)
    ours = load(folder)
    samples = ours.samples.collect()
    for path in folder.rglob("*.parquet"):
        path.unlink()

    def refuse(_frame: pl.DataFrame, path: Path, **_options: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(pl.DataFrame, "write_parquet", refuse)
    theirs = load(folder)
    assert theirs.summaries.equals(ours.summaries)
    assert theirs.samples.collect().equals(samples)
    assert not list(folder.rglob("*.parquet*"))


def test_damaged_parquet_files_are_made_again(make_folder: MakeFolder) -> None:
    """They can always be had from samples.npy."""
    folder = make_folder()
    ours = load(folder)
    for path in folder.rglob("*.parquet"):
        path.write_bytes(path.read_bytes()[:40])
    assert load(folder).summaries.equals(ours.summaries)
    assert load(folder).warnings == ()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("launch.json", b'{"format": 1, "n_ranks"', "launch.json is no JSON"),
        ("launch.json", b"[]", "launch.json holds no JSON object"),
        ("launch.json", b'{"format": 1}', "launch.json: key 'n_ranks' is missing"),
        ("launch.json", b'{"format": 3, "ictus": "9.9"}', "launch.json has format 3, this version of Ictus reads 2"),
        ("launch.json", None, "launch.json: No such file"),
    ],
)
def test_a_launch_that_cannot_be_read_is_an_error_and_left_out_when_told_to(
    make_folder: MakeFolder, name: str, content: bytes | None, message: str
) -> None:
    """Never silently."""
    folder = make_folder()
    forget_checksums(folder)
    path = load(folder).launches[1].folder / name
    path.unlink() if content is None else path.write_bytes(content)
    with pytest.raises(MeasurementError) as caught:
        load(folder)
    assert str(caught.value).startswith(f"1 of 4 launches of '{folder}' cannot be read:\nlaunch {path.parent.name}: ")
    assert message in str(caught.value)
    campaign = load(folder, leave_out_damaged=True)
    assert len(campaign.launches) == 3
    assert not campaign.complete
    assert len(campaign.warnings) == 1
    assert campaign.warnings[0].startswith(f"left out: launch {path.parent.name}: ")
    assert message in campaign.warnings[0]


def test_a_torn_launch_without_parquet_is_left_out_when_told_to(make_folder: MakeFolder) -> None:
    """A third party's half file is not analysed."""
    folder = make_folder()
    launch = load(folder).launches[0].folder
    for name in ("samples.parquet", "summary.parquet"):
        (launch / name).unlink()
    (launch / "samples.npy").write_bytes((launch / "samples.npy").read_bytes()[:-74])
    campaign = load(folder, leave_out_damaged=True)
    assert len(campaign.launches) == 3
    assert "samples.npy is torn: its header says 160 records" in campaign.warnings[0]


def test_a_folder_without_any_readable_launch_is_an_error_that_lists_why(make_folder: MakeFolder) -> None:
    """Exit code 3."""
    folder = make_folder()
    for path in folder.rglob("launch.json"):
        path.unlink()
    with pytest.raises(MeasurementError, match=r"no launch that can be read:\nlaunch 0000-") as caught:
        load(folder, leave_out_damaged=True)
    assert str(caught.value).count("launch.json: No such file") == 4


def test_what_is_no_campaign_folder_is_said(tmp_path: Path, make_folder: MakeFolder) -> None:
    """Exit code 2, and what is missing."""
    with pytest.raises(UsageError, match="does not exist"):
        load(tmp_path / "nowhere")
    for name, whose in OTHERS.items():
        (tmp_path / name).touch()
        with pytest.raises(UsageError, match=rf"it has no campaign.json; `ictus {whose}` wrote it"):
            load(tmp_path)
        (tmp_path / name).unlink()
    with pytest.raises(UsageError, match=r"is not a campaign folder: it has no campaign.json$"):
        load(tmp_path)
    folder = make_folder()
    shutil.rmtree(folder / "launches")
    (folder / "journal.jsonl").unlink()
    with pytest.raises(UsageError, match="has no complete launch yet; `ictus run -o"):
        load(folder)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"format": 2, "ictus": "3.0"},
            UsageError,
            "has format 2, this version of Ictus reads 1: it was written by Ictus 3.0",
        ),
        ({"format": "one"}, MeasurementError, "'format' is 'one', expected 1"),
        ({"cases": [{"case_id": 0}]}, MeasurementError, "has no key 'operation'"),
        ({"plan": {"launches": 0}}, UsageError, "plan, launches = 0: must be greater than or equal to 1"),
        ({"cases": []}, MeasurementError, "'cases': expected at least one case, found none"),
        ({"libraries": [None]}, MeasurementError, "'libraries.0' is None, expected"),
        ({"libraries": [{"label": "a"}, {"label": "a"}]}, MeasurementError, "label 'a' is there twice"),
        ({"libraries": [{"label": "b"}]}, MeasurementError, "is of 'a', campaign.json has no such label"),
        ({"libraries": [{"label": "a"}, {}]}, MeasurementError, "'libraries.1': a library has no 'label'"),
    ],
)
def test_a_damaged_or_newer_campaign_json_is_refused(
    make_folder: MakeFolder, change: dict[str, object], error: type[Exception], message: str
) -> None:
    """Which file, which key, and what to do."""
    folder = make_folder()
    path = folder / "campaign.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(error) as caught:
        load(folder)
    assert message in str(caught.value)


def test_the_json_files_are_readable_by_people(make_folder: MakeFolder) -> None:
    """One case, one slot a line."""
    folder = make_folder()
    assert sum(line.startswith('  {"case_id"') for line in (folder / "campaign.json").read_text().splitlines()) == 4
    assert sum(line.startswith('  {"slot"') for line in (folder / "schedule.json").read_text().splitlines()) == 4


def test_keys_of_a_later_version_are_kept_and_mean_nothing(make_folder: MakeFolder) -> None:
    """In the document, in its plan, in a case and in a slot; writing the schedule anew keeps those of its slots."""
    folder = make_folder()
    ours = load(folder)
    campaign = json.loads((folder / "campaign.json").read_text())
    campaign |= {"site": "here", "plan": {**campaign["plan"], "weather": "fine"}}
    campaign["cases"][0]["colour"] = "red"
    (folder / "campaign.json").write_text(json.dumps(campaign))
    schedule = json.loads((folder / "schedule.json").read_text())
    schedule["slots"][0] |= {"nodes": 2, "ranks_per_node": 1}
    (folder / "schedule.json").write_text(json.dumps(schedule))
    found = load(folder)
    assert (found.plan, len(found.launches)) == (ours.plan, len(ours.launches))
    assert found.summaries.equals(ours.summaries)
    write_schedule(folder, found.seed, found.slots)
    slots = json.loads((folder / "schedule.json").read_text())["slots"]
    assert slots[0] == schedule["slots"][0]
    assert "nodes" not in slots[1]
    write_launches(folder, 9)
    plan = json.loads((folder / "campaign.json").read_text())["plan"]
    assert (plan["weather"], plan["launches"]) == ("fine", 9)
