"""`ictus export`: one table of launches and cases in three formats, which record what their numbers are of."""

import csv
import json
from pathlib import Path

import polars as pl
import pytest
from tests.cli.conftest import simulate
from tests.cli.test_machine_modes import COMMON
from tests.command_line import Ictus

import ictus as product


def test_three_formats_hold_the_same_numbers_and_what_they_are_of(ictus: Ictus, tmp_path: Path) -> None:
    """Each launch's number is the order statistic of its own samples; its factors and its mode stand beside it."""
    folder = simulate(ictus, tmp_path, "camp", COMMON, "--heap", "kept,returned", "--launches", "4", "--op", "bcast")
    for name in ("csv", "parquet", "json"):
        answer = ictus("export", "camp", "-o", f"all.{name}", "--metric", "max", "--summary", "min")
        assert answer.code == 0, answer.err
    frame = pl.read_parquet("all.parquet")
    document = json.loads(Path("all.json").read_text("utf-8"))
    assert (document["schema"], document["metric"], document["summary"]) == ("ictus.export/1", "max", "min")
    assert document["rows"] == frame.to_dicts()
    with Path("all.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["value_s"]) for row in rows] == frame["value_s"].to_list()
    assert {(row["metric"], row["summary"]) for row in rows} == {("max", "min")}
    campaign = product.load(folder)
    assert frame.height == len(campaign.launches) * len(campaign.cases) == 16 * 4
    samples = campaign.samples.filter(pl.col("flags") == 0).collect()
    for number, launch in enumerate(campaign.launches, 1):
        own = frame.filter(launch=number)
        assert (own["mpi"][0], own["heap"][0]) == (launch.mpi, launch.slot.heap)
        assert set(own["algorithm"]) == {"default"}
        assert set(own["round"]) == {launch.slot.block}
        for case_id, value in own.select("case_id", "value_s").rows():
            values = samples.filter(slot=launch.slot.slot, case_id=case_id)["local_max"]
            assert value == values.min()
    assert set(frame["mode"]) == {1, 2}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-o", "x.txt"), "-o 'x.txt': its ending names no format; give --format csv, parquet or json"),
        (
            ("-o", "x", "--format", "cvs"),
            "unknown --format 'cvs', did you mean 'csv'? known: csv, parquet, json, osu, imb",
        ),
    ],
)
def test_an_unknown_format_is_refused_before_anything_is_read(
    ictus: Ictus, words: tuple[str, ...], message: str
) -> None:
    """The folder is not even there."""
    answer = ictus("export", "nowhere", *words)
    assert (answer.code, answer.err) == (2, f"ictus: {message}\n")
