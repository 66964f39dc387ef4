"""Outputs of other suites: those that were recorded, and some that are made up here."""

from collections.abc import Sequence
from pathlib import Path

from ictus.interchange.output_line import OutputText
from ictus.interchange.registry import find_suite
from ictus.interchange.suite import PrintedLaunch, ReadRequest

OUTPUTS = Path(__file__).parent.parent / "data" / "outputs"


def read_text(suite: str, text: str, **asked: object) -> Sequence[PrintedLaunch]:
    """The launches of a text; errors call it `out.txt`."""
    return find_suite(suite).read(OutputText("out.txt", text), ReadRequest(**asked))  # type: ignore[arg-type]


def recorded(suite: str, name: str, **asked: object) -> Sequence[PrintedLaunch]:
    """The launches of a recorded output."""
    return read_text(suite, (OUTPUTS / name).read_text("utf-8"), **asked)


def osu_text(averages_us: dict[int, float], title: str = "Broadcast Latency Test") -> str:
    """A plain table of OSU."""
    rows = "".join(f"{size:<10}{average:>18.2f}\n" for size, average in averages_us.items())
    return f"\n# OSU MPI {title} v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n{rows}"


def imb_text(tables: str, version: str = "2021.11, MPI-1 part") -> str:
    """An output of IMB with these tables."""
    date = "# Date                  : Mon Nov 23 07:44:26 2026"
    end = "\n# All processes entering MPI_Finalize\n"
    return f"#----\n#    Intel(R) MPI Benchmarks {version}\n#----\n{date}\n{tables}{end}"
