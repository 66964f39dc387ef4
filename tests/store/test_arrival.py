"""Acceptance: a launch that is not what was asked for never becomes a number."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.launch_document import edit_head, launch_document, rewrite

from ictus.model.case import case_table
from ictus.model.errors import MeasurementError
from ictus.model.sample import SAMPLE
from ictus.store.arrival import accept_launch
from ictus.store.manifest import read_manifest
from ictus.store.samples import read_samples

from .conftest import MakeFolder

Document = dict[str, Any]


def accept(folder: Path, *, edit: Callable[[Document, Any], Any] | None = None) -> bytes:
    """Accept the first launch of a folder again, after an edit of it and its samples (changed or returned); the summary
    as a file.
    """
    manifest = read_manifest(folder)
    launch = folder / "launches" / manifest.slots[0].folder_name
    document, samples = launch_document(launch), np.load(launch / "samples.npy")
    if edit is not None:
        changed = edit(document, samples)
        rewrite(launch, document, samples if changed is None else changed)
    accept_launch(launch, manifest.slots[0], case_table(manifest.cases), validated=manifest.plan.validation)
    return (launch / "summary.parquet").read_bytes()


def test_a_launch_as_it_was_asked_for_is_accepted_twice_alike(make_folder: MakeFolder) -> None:
    """Acceptance reads the original files only, so it can be repeated."""
    folder = make_folder()
    assert accept(folder) == accept(folder)


def set_case(document: Document, index: int, **values: object) -> None:
    """Change what a launch says of one case."""
    document["cases"][index].update(values)


def set_samples(samples: Any, index: int, field: str, value: float) -> None:
    """Change one field of one sample."""
    samples[field][index] = value


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda d, _: d.update(n_ranks=1), "ran with 1 ranks, expected were 2"),
        (lambda d, _: d.update(ranks=d["ranks"][:1]), "the launch lists 1 ranks of 2"),
        (lambda d, _: d.update(seed=5), "ran with seed 5, expected was"),
        (lambda d, _: d.update(cases=d["cases"][:-1]), "were not measured"),
        (lambda d, _: d["cases"].append({**d["cases"][0], "case_id": 99}), "cases 99 are not in the plan"),
        (lambda d, _: d["cases"].append(d["cases"][0]), "a case was measured twice"),
        (lambda d, _: set_case(d, 0, size_bytes=4), "has size_bytes 4, expected was"),
        (lambda d, _: set_case(d, 0, block_bytes=4), "has block_bytes 4, expected was"),
        (lambda d, _: set_case(d, 1, operation="scan"), "has operation 'scan', expected was"),
        (lambda d, _: set_case(d, 1, datatype="byte"), "has datatype 'byte', expected was 'double'"),
        (lambda d, _: set_case(d, 0, validated=False), "were not validated"),
        (lambda d, _: set_case(d, 0, headline="best"), "headline 'best' of case"),
        (
            lambda d, _: d["clocksync"].update(synchronised=False),
            "has the headline makespan, but clocks are not synchronised",
        ),
        (lambda d, _: set_case(d, 0, attempted=41), "the launch says 41 attempted samples, samples.npy has 40"),
        (lambda d, _: set_case(d, 0, valid=39), "the launch says 39 valid samples, samples.npy has 40"),
        (lambda d, _: set_case(d, 0, late=1), "the launch says 1 late samples, samples.npy has 0"),
        (lambda _, s: set_samples(s, 0, "flags", 2), "the launch says 0 long samples, samples.npy has 1"),
        (lambda _, s: set_samples(s, 3, "case_id", 77), "samples of a case that the launch does not list"),
        (lambda _, s: set_samples(s, 3, "repetition", 5), "not numbered 0, 1, 2, ..."),
        (
            lambda _, s: set_samples(s, 3, "makespan", np.nan),
            "1 valid samples have a makespan that is negative or not a finite number",
        ),
        (lambda _, s: set_samples(s, 3, "local_max", -1e-9), "1 valid samples have a local_max that is negative"),
        (
            lambda _, s: set_samples(s, 3, "local_max", np.inf),
            "1 valid samples have a local_max that is negative or not a finite number",
        ),
        (lambda _, s: s[:-1], "the launch says 40 attempted samples, samples.npy has 39"),
        (lambda _, s: s[["case_id", "makespan"]], "samples.npy holds"),
        (lambda _, s: s.reshape(2, -1), "samples.npy holds"),
    ],
)
def test_everything_that_disagrees_is_found_and_said(
    make_folder: MakeFolder, edit: Callable[[Document, Any], Any], message: str
) -> None:
    """Each way in which a launch can be wrong though its exit code was 0."""
    with pytest.raises(MeasurementError) as caught:
        accept(make_folder(), edit=edit)
    assert message in str(caught.value)


def test_a_root_that_does_not_exist_is_no_difference(make_folder: MakeFolder) -> None:
    """The core writes null where an operation has no root; the plan has one for all."""
    folder = make_folder()
    assert accept(folder, edit=lambda document, _: set_case(document, 0, root=None)) == accept(folder)


def test_all_problems_are_listed_at_once(make_folder: MakeFolder) -> None:
    """One message tells the whole story."""
    with pytest.raises(MeasurementError, match=r"ran with 1 ranks, .*; .*ran with seed 5"):
        accept(make_folder(), edit=lambda document, _: document.update(n_ranks=1, seed=5))


def test_samples_of_a_case_may_lie_in_several_stretches(make_folder: MakeFolder) -> None:
    """A case that was interrupted by another, as nested measurements do, is put together."""
    folder = make_folder()
    launch = folder / "launches" / read_manifest(folder).slots[0].folder_name
    before = pl.read_parquet(launch / "summary.parquet")
    accept(
        folder, edit=lambda _, samples: np.concatenate((samples[20:60], samples[:20], samples[60:]))[_order(samples)]
    )
    assert pl.read_parquet(launch / "summary.parquet").equals(before)


def _order(samples: Any) -> Any:
    """Second case between the halves of the first: 0..19 of the first, the second, 20..39 of the first, the rest."""
    moved = np.concatenate((samples[20:60], samples[:20], samples[60:]))
    first = np.flatnonzero(moved["case_id"] == samples["case_id"][0])
    others = np.flatnonzero(moved["case_id"] != samples["case_id"][0])
    ranked = first[np.argsort(moved["repetition"][first])]
    return np.concatenate((ranked[:20], others[:40], ranked[20:], others[40:]))


def test_a_file_of_any_header_length_is_read(tmp_path: Path) -> None:
    """The header says how long it is; ours is padded to a multiple of 64."""
    path = tmp_path / "samples.npy"
    samples = np.zeros(3, SAMPLE)
    samples["makespan"] = [1.0, 2.0, 3.0]
    np.save(path, samples)
    assert read_samples(path)["makespan"].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("kept", [0, 5, 60, 300, -1, -74])
def test_a_file_cut_anywhere_is_refused(tmp_path: Path, kept: int) -> None:
    """In the magic, in the header, in the records."""
    path = tmp_path / "samples.npy"
    np.save(path, np.zeros(3, SAMPLE))
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(MeasurementError, match=r"cut short or damaged|is torn"):
        read_samples(path)


def test_records_behind_the_count_are_torn_too(tmp_path: Path) -> None:
    """A file that was never closed has the count 0 in its header and records behind it."""
    path = tmp_path / "samples.npy"
    np.save(path, np.zeros(0, SAMPLE))
    assert read_samples(path)["case_id"].size == 0
    path.write_bytes(path.read_bytes() + bytes(74 * 5))
    with pytest.raises(MeasurementError, match="its header says 0 records"):
        read_samples(path)


def test_columns_are_whole_beyond_one_chunk(tmp_path: Path) -> None:
    """40,000 records are taken apart in three chunks."""
    path = tmp_path / "samples.npy"
    samples = np.zeros(40_000, SAMPLE)
    samples["repetition"] = np.arange(40_000)
    samples["root"] = np.arange(40_000) * 0.5
    np.save(path, samples)
    columns = read_samples(path)
    assert np.array_equal(columns["repetition"], samples["repetition"])
    assert np.array_equal(columns["root"], samples["root"])


def test_an_array_has_a_row_for_each_case_block_and_rank(make_folder: MakeFolder) -> None:
    """One that is whole in itself, but of another launch."""
    folder = make_folder()
    manifest = read_manifest(folder)
    launch = folder / "launches" / manifest.slots[0].folder_name
    summaries = np.load(launch / "case_ranks.npy")[:1]
    np.save(launch / "case_ranks.npy", summaries)
    arrays = json.loads((launch / "launch.json").read_text())["arrays"]
    edit_head(launch / "launch.json", arrays={**arrays, "case_ranks": {"file": "case_ranks.npy", "shape": [1, 2]}})
    with pytest.raises(MeasurementError, match=r"case_ranks\.npy has shape \[1, 2\], cases and ranks make \[\d+, 2\]"):
        accept_launch(launch, manifest.slots[0], case_table(manifest.cases))
