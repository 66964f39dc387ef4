"""Ictus from Python: load, look, compare, over folders written by arithmetic."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.clock_documents import accuracy
from tests.command_line import succeed
from tests.synthetic import Scenario, write_folder

import ictus


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> ictus.Campaign:
    """Ten launches of each of two libraries, two operations, four sizes."""
    return ictus.load(write_folder(tmp_path_factory.mktemp("api") / "camp", Scenario()))


def test_samples_are_a_polars_frame_over_all_launches(campaign: ictus.Campaign) -> None:
    """20 launches of 8 cases of 101 repetitions, one of them late, with the names of their factors."""
    samples = campaign.samples.collect()
    assert samples.shape[:1] == (20 * 8 * 101,)
    assert {"mpi", "operation", "size_bytes", "makespan", "flags", "start_skew"} <= set(samples.columns)


def test_the_ratio_is_that_of_the_world(campaign: ictus.Campaign) -> None:
    """Latencies are 0.45 us + n/6 GB/s against 0.85 times that + n/8 GB/s: every interval holds the true ratio."""
    for row in ictus.compare(campaign, "mpich", "openmpi").rows:
        startup = {"bcast": 0.45e-6, "allreduce": 0.9e-6}[row.case["operation"]]
        factor = 0.85 if row.case["operation"] == "bcast" else 1.3
        size = row.case["size_bytes"]
        true = (startup + size / 6e9) / (startup * factor + size / 8e9)
        assert row.result.ratio_low is not None
        assert row.result.ratio_high is not None
        assert row.result.ratio_low < true < row.result.ratio_high
        assert ("slower" if true > 1 else "faster") == row.outcome


def test_left_out_sides_are_every_pair(campaign: ictus.Campaign, tmp_path: Path) -> None:
    """Three libraries give three pairs, judged as one family: Holm multiplies the smallest p by all cases."""
    three = ictus.load(
        write_folder(tmp_path / "three", Scenario(libraries=("mpich", "openmpi", "third"), sizes=(8, 64)))
    )
    found = ictus.compare(three)
    assert found.pairs == (("mpich", "openmpi"), ("mpich", "third"), ("openmpi", "third"))
    smallest = min(found.rows, key=lambda row: row.result.p_value or 1.0).result
    assert smallest.p_value is not None
    assert pytest.approx(12 * smallest.p_value) == smallest.p_adjusted
    assert ictus.compare(campaign).pairs == (("mpich", "openmpi"),)


def test_a_frame_has_a_row_for_each_case(campaign: ictus.Campaign) -> None:
    """Factors of the case first, then the numbers, the same as in the rows."""
    found = ictus.compare(campaign)
    frame = found.to_frame()
    assert len(frame) == 8
    assert [row.result.ratio for row in found.rows] == frame["ratio"].to_list()
    assert {"operation", "size_bytes", "n", "a", "b", "p_adjusted", "stars", "verdict"} <= set(frame.columns)


def test_cases_are_the_medians_of_launch_medians(campaign: ictus.Campaign) -> None:
    """The same numbers from the summaries, by another way."""
    frame = ictus.cases(campaign).to_frame()
    by_hand = campaign.summaries.group_by("mpi", "case_id").agg(pl.col("median").median()).sort("case_id", "mpi")
    assert pytest.approx(by_hand["median"].to_list(), rel=1e-12) == frame["median_s"].to_list()
    assert (frame["low_s"] <= frame["median_s"]).all()
    assert (frame["median_s"] <= frame["high_s"]).all()


def test_factors_of_one_launch_are_compared_pair_by_pair(tmp_path: Path) -> None:
    """5 % between two procsyncs is lost between launches that vary by 20 %, and found inside them."""
    world = Scenario(
        procsyncs=("window", "barrier"), procsync_factor={"barrier": 1.05}, launch_spread=0.2, noise=0.02, sizes=(8, 64)
    )
    campaign = ictus.load(write_folder(tmp_path / "syncs", world))
    paired = ictus.compare(campaign, "window", "barrier", by="procsync")
    unpaired = ictus.compare(campaign, "window", "barrier", by="procsync", test="rank-sum")
    assert (paired.paired, paired.test) == (True, "signed-rank")
    assert all(row.result.p_value is not None and row.result.p_value < 0.05 for row in paired.rows)
    assert all(row.result.p_value is not None and row.result.p_value > 0.05 for row in unpaired.rows)
    assert {"mpich", "openmpi"} == {row.case["mpi"] for row in paired.rows}


def test_two_campaigns_are_compared_by_what_they_share(tmp_path: Path) -> None:
    """Same library in both, the second without its largest size: three cases, and a row that says who has the
    fourth.
    """
    first = ictus.load(write_folder(tmp_path / "one", Scenario(operations=("bcast",))))
    second = ictus.load(write_folder(tmp_path / "two", Scenario(operations=("bcast",), sizes=(8, 64, 512), seed=2)))
    found = ictus.compare(first, "mpich", other=second)
    assert found.pairs == (("one:mpich", "two:mpich"),)
    assert [row.case["size_bytes"] for row in found.rows] == [8, 64, 512, 4096]
    assert [row.case["size_bytes"] for row in found.compared] == [8, 64, 512]
    last = found.rows[-1]
    assert (last.missing, last.outcome) == (True, "missing")
    assert last.result.verdict.text == "only in one:mpich; it is not in the plan of two:mpich"
    assert (last.result.n_a, last.result.n_b, last.result.ratio) == (10, 0, None)


def test_sides_without_a_common_case_say_why(tmp_path: Path) -> None:
    """The error names the factor that differs."""
    first = ictus.load(write_folder(tmp_path / "one", Scenario(sizes=(8,))))
    second = ictus.load(write_folder(tmp_path / "two", Scenario(sizes=(8,), nrep=50)))
    with pytest.raises(
        ictus.UsageError, match=r"no case in common: they differ in repetition \(.*100.* against .*50.*\)"
    ):
        ictus.compare(first, "mpich", other=second)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"a": "mpch"}, "did you mean 'mpich'"),
        ({"by": "size"}, "factor 'size'"),
        ({"by": "cache"}, "only 'warm'"),
        ({"test": "t"}, "unknown test"),
        ({"alternative": "both"}, "alternative 'both'"),
        ({"adjust": "bonferroni"}, "unknown adjustment"),
    ],
)
def test_unknown_names_are_errors_that_list_the_known_ones(
    campaign: ictus.Campaign, options: dict[str, str], said: str
) -> None:
    """A UsageError with what is known or what was meant."""
    with pytest.raises(ictus.UsageError, match=said):
        ictus.compare(campaign, **options)  # type: ignore[arg-type]


def test_launches_are_not_compared_with_themselves(campaign: ictus.Campaign) -> None:
    """One library twice, or one folder twice: every ratio would be 1, and proven."""
    for options in ({"a": "mpich", "b": "mpich"}, {"other": campaign}, {"a": "mpich", "other": campaign}):
        with pytest.raises(ictus.UsageError, match="same launches on both sides"):
            ictus.compare(campaign, **options)  # type: ignore[arg-type]
    assert ictus.compare(campaign, "mpich", "openmpi", other=campaign).rows


def test_a_campaign_is_shown_in_one_line(campaign: ictus.Campaign) -> None:
    """At a prompt: where it is, what it compares, how much there is."""
    assert repr(campaign) == f"<Campaign '{campaign.folder}': mpich, openmpi; 8 cases, 20 launches>"


def test_a_value_is_found_as_it_is_typed(tmp_path: Path) -> None:
    """In full, briefly, and by its bare name where only one value has it."""
    world = Scenario(procsyncs=("window", "barrier(algorithm=library)"), sizes=(8,), operations=("bcast",))
    campaign = ictus.load(write_folder(tmp_path / "typed", world))
    for typed in ("barrier(algorithm=library)", "barrier(library)", "barrier"):
        (pair,) = ictus.compare(campaign, "window", typed, by="procsync").pairs
        assert pair[1].startswith("barrier(")


def test_disturbed_launches_count_only_when_loaded(tmp_path: Path) -> None:
    """A contended try is 25 % slower here; it is in neither samples nor comparison unless it is asked for."""
    folder = write_folder(tmp_path / "busy", Scenario(contended_slots=(0, 1), sizes=(8,)))
    plain, everything = ictus.load(folder), ictus.load(folder, contended=True)
    assert (len(plain.launches), len(everything.launches)) == (20, 22)
    assert {10} == {row.n_launches for row in ictus.cases(plain).rows}
    assert {11} == {row.n_launches for row in ictus.cases(everything).rows}
    assert any("2 of 22 launches were disturbed" in warning for warning in ictus.cases(everything).warnings)


def test_a_lost_case_is_none_and_named(tmp_path: Path) -> None:
    """No valid sample: None everywhere, and a warning that names the case."""
    campaign = ictus.load(write_folder(tmp_path / "lost", Scenario(lost=("bcast:64",))))
    row = next(row for row in ictus.cases(campaign).rows if row.case["size_bytes"] == 64)
    assert (row.n_launches, row.median_s, row.valid_share) == (0, None, 0.0)
    assert any("mpich MPI_Bcast 64 B n=2" in warning for warning in ictus.cases(campaign).warnings)
    assert np.isnan(next(row for row in ictus.compare(campaign).rows if row.case["size_bytes"] == 64).ratio)


def test_the_public_names_are_those_promised() -> None:
    """`from ictus import *` gives what __all__ lists, and nothing else is public."""
    assert set(ictus.__all__) <= set(dir(ictus))
    for name in ictus.__all__:
        assert getattr(ictus, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ictus.nothing


def test_a_study_of_clocks_loads_from_its_folder_and_its_file(tmp_path: Path) -> None:
    """The same study either way, with the errors of its algorithms."""
    document = accuracy(2, (0, 5), [("hca3", 0.5, 12, [[0, 1], [0, -3]], None)])
    (tmp_path / "clocks.json").write_text(json.dumps(document))
    study = ictus.load_clocks(tmp_path)
    assert study == ictus.load_clocks(str(tmp_path / "clocks.json"))
    (found,) = ictus.clock_errors(study)
    assert [(error.wait_s, error.max_s) for error in found.errors] == [(0, 1e-6), (5, pytest.approx(3e-6))]


@pytest.mark.figures
def test_figures_are_axes_of_matplotlib(campaign: ictus.Campaign, tmp_path: Path) -> None:
    """One for each operation; where the ratio's marks are is what the rows say; another kind is refused by name."""
    found = ictus.compare(campaign)
    drawn = found.plot()
    assert [axes.get_title(loc="right") for axes in drawn] == ["MPI_Bcast, 2 processes", "MPI_Allreduce, 2 processes"]
    low, high = drawn[0].get_ylim()
    ratios = [row.result.ratio for row in found.rows if row.case["operation"] == "bcast"]
    assert all(ratio is not None and low < ratio < high for ratio in ratios)
    drawn[0].figure.savefig(tmp_path / "ratio.png")  # type: ignore[union-attr]
    assert len(ictus.cases(campaign).plot("latency")) == 2
    with pytest.raises(ictus.UsageError, match="unknown plot 'rato', did you mean 'ratio'"):
        found.plot("rato")


def test_a_history_from_python_is_that_of_the_command(tmp_path: Path) -> None:
    """Three campaigns, loaded, as folders, or from a store that they are added to; its rows are those of `--json`."""
    folders = [
        write_folder(
            tmp_path / f"day{day}",
            Scenario(sizes=(8,), launches=3, nrep=10, seed=day, created=f"2026-03-0{day}T01:00:00+00:00"),
        )
        for day in (1, 2, 3)
    ]
    found = ictus.history(folders)
    assert found == ictus.history([ictus.load(one) for one in folders])
    assert found == ictus.history(folders, tmp_path / "store") == ictus.history(store=tmp_path / "store")
    assert str(found).startswith("3 campaigns from 2026-03-01 to 2026-03-03")
    shown = json.loads(succeed("history", *folders, "--json").out)["rows"]
    assert found.to_frame()["value_s"].to_list() == [row["value_s"] for row in shown]
    for wrong, said in (
        (ictus.history, "needs campaigns, or a store"),
        (lambda: ictus.history(folders, false_alarms=0), "false_alarms 0: expected"),
        (lambda: ictus.history([folders[0], ictus.load(folders[1], reduction=ictus.Reduction("max"))]), "load them"),
    ):
        with pytest.raises(ictus.UsageError, match=said):
            wrong()
