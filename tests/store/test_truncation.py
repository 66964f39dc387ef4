"""Any file of a campaign may be cut at any byte, as by a power failure: no number is shown that was not measured, and
the campaign continues without losing a launch whose measured files are whole.

`pytest -m long` cuts at every byte.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path

import polars as pl
import pytest
from tests.command_line import run_ictus

from ictus.model.errors import IctusError
from ictus.store.campaign import Campaign, load

WORDS = ("--launcher", "simulated", "--op", "bcast", "--sizes", "8", "--launches", "1", "--nrep", "3", "--seed", "7")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("truncated") / "campaign"
    assert run_ictus("run", *WORDS, "-o", folder).code == 0
    load(folder).samples.collect()
    return folder


def files(campaign: Path) -> list[str]:
    """Of the campaign and of one of its launches."""
    launch = min((campaign / "launches").iterdir())
    return [str(p.relative_to(campaign)) for p in (*campaign.iterdir(), *launch.iterdir()) if p.is_file()]


def shown(campaign: Campaign) -> dict[str, tuple[pl.DataFrame, pl.DataFrame]]:
    """Numbers of each launch: summaries and samples."""
    summaries, samples = campaign.summaries, campaign.samples.collect()
    slots = {launch.folder.name: launch.slot.slot for launch in campaign.launches}
    return {name: tuple(one.filter(pl.col("slot") == slot) for one in (summaries, samples))
            for name, slot in slots.items()}  # type: ignore[misc]  # fmt: skip


def cut(campaign: Path, name: str, places: Iterable[int]) -> int:
    """Cut a file at these places, one after another; how often that was an error. Each must name file or launch."""
    sound = shown(load(campaign))
    path, refused = campaign / name, 0
    content = path.read_bytes()
    for place in places:
        path.write_bytes(content[:place])
        try:
            found = load(campaign)
            numbers, error = shown(found), ""
        except IctusError as ours:
            numbers, error = {}, str(ours)
            refused += 1
        assert not error or path.name in error or path.parent.name in error, (name, place, error)
        assert error or set(numbers) == set(sound) or not found.complete, (name, place)
        for launch, frames in numbers.items():
            assert all(one.equals(other) for one, other in zip(frames, sound[launch], strict=True)), (name, place)
        path.write_bytes(content)
    return refused


def test_a_file_cut_anywhere_shows_no_wrong_number(campaign: Path, tmp_path: Path) -> None:
    """Four places of each file."""
    own = shutil.copytree(campaign, tmp_path / "own")
    refused = {name: cut(own, name, _places(own / name, 4)) for name in files(own)}
    assert refused["campaign.json"] == refused["schedule.json"] == 4
    assert sum(refused[name] for name in refused if name.endswith("samples.npy")) == 4
    assert sum(refused[name] for name in refused if name.endswith(".parquet")) == 0


@pytest.mark.long
def test_a_file_cut_at_every_byte_shows_no_wrong_number(campaign: Path, tmp_path: Path) -> None:
    """Every byte of every file."""
    own = shutil.copytree(campaign, tmp_path / "own")
    tried = 0
    for name in files(own):
        size = (own / name).stat().st_size
        cut(own, name, range(size))
        tried += size
    print(f"{tried} places")


@pytest.mark.long
def test_a_campaign_with_a_file_cut_anywhere_continues(campaign: Path, tmp_path: Path) -> None:
    """Twelve places of each file. What is whole stays; what is cut is set aside and measured again. Documents of the
    design are refused: nothing is guessed.
    """
    for name in files(campaign):
        for place in _places(campaign / name, 12):
            own = shutil.copytree(campaign, tmp_path / "own")
            path = own / name
            path.write_bytes(path.read_bytes()[:place])
            done = run_ictus("run", *WORDS, "-o", own)
            if done.code == 0:
                numbers, sound = shown(load(own)), shown(load(campaign))
                assert numbers.keys() == sound.keys(), (name, place)
                assert all(numbers[one][0].equals(sound[one][0]) for one in sound), (name, place)
            else:
                assert path.name in done.err or path.parent.name in done.err, (name, place, done.err)
                design = ("campaign.json", "schedule.json", "journal.jsonl", "heap.json")
                assert name in (*design, "lock.1"), (name, place, done.err)  # nobody may take another run's lock
            shutil.rmtree(own)


def _places(path: Path, n: int) -> list[int]:
    size = path.stat().st_size
    return sorted({size * k // n for k in range(n)})
