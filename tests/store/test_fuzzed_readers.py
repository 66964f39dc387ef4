"""Damaged files of a campaign, at random from a fixed seed: a reader says what is wrong in one sentence or reads on.

Files have no checksums here, so that damage comes as far as the readers: bits, bytes and pieces of any file, and values
of any other type at any place of a JSON file. `pytest -m long` takes twenty times as many.
"""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.launch_document import forget_checksums

from ictus.model.document import CHECKSUM
from ictus.model.errors import IctusError
from ictus.store.campaign import load
from ictus.store.launch_files import CommandDocument, control_variables
from ictus.store.samples import read_ticks

from .conftest import MakeFolder

Mutation = Callable[[bytes, random.Random], bytes]

JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 1.5, 2**70, -(2**63), float("inf"), float("nan"), "", "x", "../..", "\x00", "9" * 40, [], [[]],
    {}, [None], {"a": []}, [1, "x"], ["a", "a"], "nan", "window(",
)  # fmt: skip


def flip(content: bytes, draw: random.Random) -> bytes:
    """One to four bits."""
    spoilt = bytearray(content)
    for _ in range(draw.randint(1, 4)):
        spoilt[draw.randrange(len(spoilt))] ^= 1 << draw.randrange(8)
    return bytes(spoilt)


def piece(content: bytes, draw: random.Random) -> bytes:
    """A piece is missing, stands twice, or is zeros."""
    begin, length = draw.randrange(len(content)), draw.randint(1, 64)
    middle = content[begin : begin + length]
    return content[:begin] + draw.choice((b"", middle * 2, bytes(len(middle)))) + content[begin + length :]


def value(content: bytes, draw: random.Random) -> bytes:
    """Another value at a place of a JSON file, or a key less; of a line where there are several."""
    lines = content.splitlines() if content.count(b'\n{"') > 1 else [content]
    number = draw.randrange(len(lines))
    document = json.loads(lines[number])
    places = list(_places(document))
    if places:
        holder, key = draw.choice(places)
        if isinstance(holder, dict) and draw.random() < 0.2:
            del holder[key]
        else:
            holder[key] = draw.choice(JUNK)
    lines[number] = json.dumps(document).encode()
    return b"\n".join(lines) + b"\n"


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    items = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, item in list(items):
        yield document, key
        yield from _places(item)


def read_everything(folder: Path) -> None:
    """All that any command reads of a campaign."""
    campaign = load(folder, contended=True)
    for launch in campaign.launches:
        record = launch.record
        for array in (record.case_ranks, record.blocks, record.clocks, record.ranks, record.hosts):
            assert array is not None
        CommandDocument.read(launch.folder / "command.json")
        control_variables(launch.folder)
        read_ticks(launch.folder / "raw.npy", launch.n)
    campaign.samples.collect()


def spoil(folder: Path, draw: random.Random) -> tuple[Path, bytes]:
    """Damage one file; which, and what it was."""
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".json", ".jsonl", ".npy", ".parquet")]
    path = draw.choice(files)
    content = path.read_bytes()
    mutations: tuple[Mutation, ...] = (flip, piece, value, value) if path.suffix.startswith(".json") else (flip, piece)
    path.write_bytes(draw.choice(mutations)(content, draw))
    return path, content


def unprotected(folder: Path) -> Path:
    """A campaign without checksums, as others write it."""
    forget_checksums(folder)
    for name in ("campaign.json", "schedule.json"):
        document = json.loads((folder / name).read_text("utf-8"))
        del document[CHECKSUM]
        (folder / name).write_text(json.dumps(document), "utf-8")
    shutil.rmtree(folder / "aside", ignore_errors=True)
    return folder


def fuzz(folder: Path, tries: int, seed: int) -> int:
    """How many damaged files were refused; any other exception than ours is raised with the file and the try."""
    draw, refused = random.Random(seed), 0
    read_everything(folder)
    for number in range(tries):
        path, sound = spoil(folder, draw)
        try:
            read_everything(folder)
        except IctusError:
            refused += 1
        except Exception as error:
            raise AssertionError(f"try {number} of seed {seed}: {path.name} ended in {error!r}") from error
        path.write_bytes(sound)
    return refused


@pytest.mark.parametrize("seed", range(4))
def test_damage_ends_in_a_sentence(make_folder: MakeFolder, seed: int) -> None:
    """Most damage is found even without checksums; none ends in an exception that nobody caught."""
    folder = unprotected(make_folder(launches=1, nrep=5, op="bcast", raw=True))
    assert fuzz(folder, 120, seed) > 30


def test_a_host_whose_name_is_no_text_is_shown(make_folder: MakeFolder) -> None:
    """As far as it can be read."""
    folder = unprotected(make_folder(launches=1, nrep=5, op="bcast", raw=True))
    path = next(folder.glob("launches/*/hosts.npy"))
    path.write_bytes(path.read_bytes().replace(b"simulated", b"simul\xe1ted"))
    names = {host.name for launch in load(folder).launches for host in launch.record.hosts}
    assert names == {"simulated", "simul\ufffdted"}  # the other launch has it whole


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_so_does_much_damage(make_folder: MakeFolder, seed: int) -> None:
    """Some ten minutes."""
    folder = unprotected(make_folder(launches=1, nrep=5, op="bcast", raw=True))
    assert fuzz(folder, 1000, seed) > 300
