"""The table of what grows with the ranks: its bytes are counted from the records that the core writes."""

import ast
import re
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
RANKS = (64, 1024, 16384, 131072)


def size_of(record: str) -> int:
    """Bytes of a record of the core, from its descriptor."""
    source = (ROOT / "native/src/record/sample_record.hpp").read_text("utf-8")
    body = source.split(f"struct {record} {{")[1]
    descriptor = "".join(re.findall(r'"([^"]*)"', body.split(";")[0]))
    size: int = np.dtype(ast.literal_eval(descriptor)).itemsize
    return size


def size_of_location() -> int:
    """Bytes of a rank's place: its ints."""
    source = (ROOT / "native/src/transport/transport.hpp").read_text("utf-8")
    body = source.split("struct RankLocation {")[1].split("};")[0]
    return 4 * len(re.findall(r"^\s*int \w+", body, re.MULTILINE))


def text(size: float) -> str:
    """As the page writes bytes."""
    if size < 100:
        return f"{size:.0f} B"
    if size < 1e4:
        return f"{size / 1e3:.1f} kB"
    return f"{size / 1e3:.0f} kB" if size < 1e6 else f"{size / 1e6:.1f} MB"


def test_the_bytes_of_the_page_are_those_of_the_core() -> None:
    """Each cell of each row."""
    page = (ROOT / "docs/explanation/scale.md").read_text("utf-8")
    sizes = {
        "case_ranks.npy": size_of("CaseRankRecord"),
        "clocks.npy": size_of("BlockClockRecord"),
        "raw.npy": size_of("RawRecord"),
        "places": size_of_location(),
    }
    for name, size in sizes.items():
        (row,) = re.findall(rf"^\| {re.escape(name)}.*$", page, re.MULTILINE)
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells[2:] == [f"{size} B", *(text(n * size) for n in RANKS)]
