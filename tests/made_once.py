"""Folders that several tests work on, each on its own copy: measured once, then written from memory. And tables that
several commands of one process read.
"""

import functools
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

_KEPT: deque[tuple[object, dict[Path, bytes]]] = deque(maxlen=16)
"""The last ones: what each was made of, and its files."""

_SMALL_TABLE = 1 << 16
"""Bytes of a file: memory has room for all that are kept."""


def decode_tables_once() -> None:
    """Let polars decode a small Parquet file in memory once, whoever asks again: half a millisecond each, which is a
    tenth of what all tests of commands take, as each command reads the summary of every launch.
    """
    read = pl.read_parquet

    @functools.lru_cache(maxsize=2048)
    def decoded(content: bytes) -> pl.DataFrame:
        return read(content)

    def read_parquet(source: Any, *words: Any, **options: Any) -> pl.DataFrame:
        small = isinstance(source, bytes) and len(source) <= _SMALL_TABLE and not words and not options
        return decoded(source).clone() if small else read(source, *words, **options)

    pl.read_parquet = read_parquet


def made_once(folder: Path, of: object, make: Callable[[], object]) -> Path:
    """The folder, as `make` makes it there; `of` is all that it depends on. To write the files of a campaign takes a
    thirtieth of the time in which a simulated one is measured.
    """
    if folder.exists():  # it goes on with what is there
        make()
        return folder
    known = next((files for what, files in _KEPT if what == of), None)
    if known is None:
        make()
        files = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        _KEPT.append((of, files))
        return folder
    for place in {path.parent for path in known}:
        (folder / place).mkdir(parents=True, exist_ok=True)
    for path, content in known.items():
        (folder / path).write_bytes(content)
    return folder
