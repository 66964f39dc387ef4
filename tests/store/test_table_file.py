"""Derived tables: whatever happens to one, the numbers that are shown are those of samples.npy."""

import random
import shutil
from pathlib import Path

import polars as pl
import pytest

from ictus.store.campaign import Campaign, load
from ictus.store.table_file import is_sound, read_table, write_table

from .conftest import MakeFolder

FRAME = pl.DataFrame({"median": [1.5, 2.5], "mpi": ["a", "b"]})


def test_a_table_reads_back_with_what_it_was_made_of(tmp_path: Path) -> None:
    """Of other files it is not read; nor is one without a checksum."""
    path = tmp_path / "summary.parquet"
    write_table(FRAME, path, "xxh3:0123456789abcdef,xxh3:0000000000000001")
    found = read_table(path, "xxh3:0123456789abcdef,xxh3:0000000000000001")
    assert found is not None
    assert found.equals(FRAME)
    assert read_table(path, "xxh3:0123456789abcdef") is None
    assert read_table(path, None) is not None
    assert pl.read_parquet(path).equals(FRAME)  # by any reader
    FRAME.write_parquet(path)
    assert read_table(path, None) is None
    assert not is_sound(tmp_path / "missing.parquet", None)


def test_every_flipped_bit_of_a_table_is_found_before_it_is_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All bytes of a small one; Polars never sees it."""
    path = tmp_path / "summary.parquet"
    write_table(FRAME, path, None)
    sound = path.read_bytes()
    monkeypatch.setattr(pl, "read_parquet", None)
    for at in range(len(sound)):
        spoilt = bytearray(sound)
        spoilt[at] ^= 1 << at % 8
        path.write_bytes(spoilt)
        assert read_table(path, None) is None, at


def test_tables_longer_than_their_last_part_are_hashed_whole(tmp_path: Path) -> None:
    """A megabyte: flips in its first, a middle and the last byte."""
    path = tmp_path / "samples.parquet"
    write_table(pl.DataFrame({"x": random.Random(1).sample(range(10**15), 200_000)}), path, None)
    sound = path.read_bytes()
    assert len(sound) > 1_200_000
    assert is_sound(path, None)
    for at in (0, 1 << 20, len(sound) // 2, len(sound) - (1 << 16), len(sound) - 1):
        spoilt = bytearray(sound)
        spoilt[at] ^= 4
        path.write_bytes(spoilt)
        assert not is_sound(path, None), at


def same(one: Campaign, other: Campaign) -> bool:
    """Whether two campaigns have the same numbers."""
    return one.summaries.equals(other.summaries) and one.samples.collect().equals(other.samples.collect())


@pytest.mark.parametrize("name", ["summary.parquet", "samples.parquet"])
@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_table_is_made_again(make_folder: MakeFolder, name: str, seed: int) -> None:
    """A bit anywhere: silently, and the numbers are right; afterwards the file is what it was."""
    folder = make_folder()
    path = folder / "launches" / "0000-a" / name
    path = path if path.exists() else folder / "launches" / "0000-b" / name
    right, before = load(folder), path.read_bytes()
    spoilt, draw = bytearray(before), random.Random(seed)
    spoilt[draw.randrange(len(spoilt))] ^= 1 << draw.randrange(8)
    path.write_bytes(spoilt)
    assert same(load(folder), right)
    assert path.read_bytes() == before


def test_a_table_of_another_launch_is_made_again(make_folder: MakeFolder) -> None:
    """It is whole in itself, and of other samples."""
    folder = make_folder()
    right = load(folder)
    one, other = (launch.folder for launch in right.launches[:2])
    for name in ("summary.parquet", "samples.parquet"):
        shutil.copy(one / name, other / name)
    assert same(load(folder), right)
