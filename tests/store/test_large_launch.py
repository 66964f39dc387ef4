"""A launch of millions of samples is read in parts: what comes out is what comes out of a small one, read whole."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.store.test_arrival import _order, accept, set_case, set_samples

from ictus.launch.launchers.simulated import Scenario
from ictus.model.errors import MeasurementError
from ictus.model.sample import SAMPLE
from ictus.store import arrival, samples, source
from ictus.store.campaign import load
from ictus.store.manifest import read_manifest
from ictus.store.samples import read_parts, read_samples, whole_cases

from .conftest import MakeFolder


@pytest.fixture(params=[1, 7, 1000])
def in_parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From its call on every launch is a large one, read in parts of so many samples."""

    def begin() -> None:
        monkeypatch.setattr(samples, "_PART", request.param)
        for module in (arrival, source):
            monkeypatch.setattr(module, "LARGE", 3)

    return begin


def first_launch(folder: Path) -> Path:
    return folder / "launches" / read_manifest(folder).slots[0].folder_name


def tables(folder: Path) -> Iterator[pl.DataFrame]:
    for name in ("summary.parquet", "samples.parquet"):
        yield pl.read_parquet(first_launch(folder) / name)


def test_tables_of_a_launch_in_parts_are_those_of_the_whole(
    make_folder: MakeFolder, in_parts: Callable[[], None]
) -> None:
    """With late samples; a case ends inside of a part, at its end, and fills several."""
    folder = make_folder(Scenario(noise=0.1, late_share=0.1, long_share=0.05))
    before = list(tables(folder))
    in_parts()
    accept(folder)
    for table, own in zip(tables(folder), before, strict=True):
        assert table.equals(own)
        assert table.schema == own.schema


def test_a_case_in_several_stretches_is_put_together_all_the_same(
    make_folder: MakeFolder, in_parts: Callable[[], None]
) -> None:
    """Another program may write it."""
    folder = make_folder()
    before = pl.read_parquet(first_launch(folder) / "summary.parquet")
    in_parts()
    accept(
        folder, edit=lambda _, samples: np.concatenate((samples[20:60], samples[:20], samples[60:]))[_order(samples)]
    )
    assert pl.read_parquet(first_launch(folder) / "summary.parquet").equals(before)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda d, _: set_case(d, 0, valid=39), "the launch says 39 valid samples, samples.npy has 40"),
        (lambda _, s: set_samples(s, 3, "case_id", 77), "samples of a case that the launch does not list"),
        (lambda _, s: set_samples(s, 3, "repetition", 5), "not numbered 0, 1, 2, ..."),
        (lambda _, s: set_samples(s, 100, "local_max", np.inf), "1 valid samples have a local_max that is negative"),
        (lambda _, s: s[:40], "attempted samples, samples.npy has 0"),
    ],
)
def test_what_disagrees_is_found_in_parts_too(
    make_folder: MakeFolder, in_parts: Callable[[], None], edit: Callable[[Any, Any], Any], message: str
) -> None:
    """And said in the same words."""
    folder = make_folder()
    in_parts()
    with pytest.raises(MeasurementError) as caught:
        accept(folder, edit=edit)
    assert message in str(caught.value)


def test_samples_that_are_asked_for_are_made_in_parts(make_folder: MakeFolder, in_parts: Callable[[], None]) -> None:
    """All of them, and some rows and columns; in a folder of another user nothing is written."""
    folder = make_folder()
    before = load(folder).samples.collect()
    in_parts()
    table = first_launch(folder) / "samples.parquet"
    table.unlink()
    assert load(folder).samples.collect().equals(before)
    assert table.exists()
    table.unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "is_ours", lambda _folder: False)
        found = load(folder).samples
        few = found.filter(pl.col("case_id") == 1).select("repetition", "makespan").head(9).collect()
    assert few.equals(before.filter(pl.col("case_id") == 1).select("repetition", "makespan").head(9))
    assert not table.exists()


def test_damage_of_a_large_launch_is_named_before_its_samples_are_used(
    make_folder: MakeFolder, in_parts: Callable[[], None]
) -> None:
    """The file is compared with the journal first: no sample of it is seen."""
    folder = make_folder()
    in_parts()
    path = first_launch(folder) / "samples.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    (path.parent / "samples.parquet").unlink()
    with pytest.raises(MeasurementError, match=rf"checksum of launch {path.parent.name}"):
        load(folder).samples.collect()


@pytest.mark.parametrize("part", range(1, 25))
def test_a_part_is_cut_anew_where_a_case_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    """Cases of 1, 5, 3, 9 and 5 samples, in parts of each length: nothing is lost, and no case is in two."""
    path = tmp_path / "samples.npy"
    records = np.zeros(23, SAMPLE)
    records["case_id"] = np.repeat([4, 2, 9, 1, 7], [1, 5, 3, 9, 5])
    records["repetition"] = np.arange(23)
    np.save(path, records)
    monkeypatch.setattr(samples, "_PART", part)
    found = list(whole_cases(read_parts(path, ("case_id", "repetition"))))
    assert np.concatenate([one["repetition"] for one in found]).tolist() == list(range(23))
    ids = [set(one["case_id"].tolist()) for one in found]
    assert sum(map(len, ids)) == 5
    assert read_samples(path)["case_id"].tolist() == records["case_id"].tolist()
