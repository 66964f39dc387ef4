"""Every column of every table that scripts read has its meaning and unit, and no other column is described."""

import re
from pathlib import Path

import polars as pl
import pytest
from tests.column_check import undescribed
from tests.synthetic import Scenario, write_folder

from ictus.comparison.export import launch_values
from ictus.model.columns.meaning import unit_of
from ictus.model.columns.registry import BY_NAME, ROWS
from ictus.model.launch_arrays import ARRAYS
from ictus.store.campaign import Campaign, load

SOURCE = Path(__file__).parents[2] / "src" / "ictus"
SCHEMA = re.compile(r'"(ictus\.[a-z.-]+/\d+)"')
OF_SEVERAL = {"ictus.compare-ranking/1", "ictus.compare-shares/1"}
"""Schemas whose names are put together."""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """A campaign of two cases."""
    folder = write_folder(tmp_path_factory.mktemp("columns") / "camp", Scenario(sizes=(8, 64), launches=2, nrep=10))
    return load(folder)


def test_each_schema_of_the_source_is_described_and_no_other() -> None:
    """As texts of the source; what describes them is left out."""
    files = [path for path in SOURCE.rglob("*.py") if "columns" not in path.parts]
    found = {name for path in files for name in SCHEMA.findall(path.read_text("utf-8"))}
    assert len(found) > 30
    assert found | OF_SEVERAL == {one.name for one in ROWS}


def test_frames_and_parquet_files_have_the_described_columns(campaign: Campaign) -> None:
    """All of them, in any order."""
    launch = next((campaign.folder / "launches").iterdir())
    frames = {
        "samples.parquet": pl.read_parquet(launch / "samples.parquet"),
        "summary.parquet": pl.read_parquet(launch / "summary.parquet"),
        "campaign.summaries": campaign.summaries,
        "campaign.cases": campaign.cases,
    }
    assert {name: sorted(frame.columns) for name, frame in frames.items()} == {
        name: sorted(BY_NAME[name].columns) for name in frames
    }
    assert sorted(campaign.samples.collect_schema().names()) == sorted(BY_NAME["samples.parquet"].columns)
    assert set(launch_values(campaign).columns) <= set(BY_NAME["ictus.export/1"].columns)


def test_arrays_have_the_described_columns() -> None:
    """All arrays beside launch.json."""
    assert {name: list(columns) for name, columns in ARRAYS.items()} == {
        name: list(BY_NAME[f"{name}.npy"].columns) for name in ARRAYS
    }


def test_times_and_sizes_have_units() -> None:
    """By the end of the name; in files by the table, where names have no unit."""
    expected = {
        "median_s": "s", "low_bytes": "B", "bytes_per_s": "B/s", "gap_per_byte_s_low": "s/B", "messages_per_s": "1/s",
        "median_hz": "Hz", "ratio_low": "1", "p_value": "1", "valid_share": "1", "latency_s_high": "s", "n": "",
        "operation": "", "ppn": "", "bytes": "B", "mpi_share": "1", "correlation_p": "1", "stars": "",
    }  # fmt: skip
    assert {name: unit_of(name) for name in expected} == expected
    samples = BY_NAME["samples.parquet"]
    assert [name for name in samples.columns if samples.unit(name) == "s"] == [
        "start", "makespan", "local_max", "local_mean", "local_min", "root", "start_skew", "clock_bound",
    ]  # fmt: skip


def test_no_meaning_is_empty() -> None:
    """Nor a sentence: the page ends none with a full stop."""
    assert [
        (table.name, name)
        for table in BY_NAME.values()
        for name, text in table.columns.items()
        if not text.strip() or (text.endswith(".") and not text.endswith("..."))
    ] == []


def test_a_column_that_is_not_described_is_found() -> None:
    """Also inside lists of objects; the factors of a case are those of the page."""
    row = {"mpi": "mpich", "case": {"n": 2, "colour": 1}, "launches": [{"slot": 0, "weather": 1}], "mood": 1}
    document = {"schema": "ictus.nrep/1", "rows": [row]}
    assert undescribed(document) == ["case.colour", "launches.weather", "mood"]
    assert undescribed({"schema": "ictus.unknown/1", "rows": []}) == ["schema ictus.unknown/1"]


def test_p_values_have_one_meaning_for_each_name() -> None:
    """`p_value` is of a case alone, `p_adjusted` of all that are judged together, `stars` are of that one; a name that
    ends in `_p` begins with its test. So in every table.
    """
    named_tests = {"shapiro_p", "lilliefors_p", "correlation_p", "drift_p"}
    found = set[str]()
    for table in BY_NAME.values():
        for column, meaning in table.columns.items():
            name = column.rpartition(".")[2]
            if name.endswith("p_adjusted"):
                assert "adjusted for all cases" in meaning, (table.name, column)
            elif name.endswith("p_value"):
                assert "p-value" in meaning, (table.name, column)
                assert "adjusted" not in meaning, (table.name, column)
            elif name == "stars":
                assert meaning.startswith("stars of the adjusted p-value"), (table.name, column)
            elif re.search(r"(?:^|_)p$", name):
                assert name in named_tests, (table.name, column)
            else:
                continue
            found.add(name)
    assert found >= {"p_value", "p_adjusted", "last_p_value", "last_p_adjusted", "stars", *named_tests}
