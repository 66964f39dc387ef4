"""A section of a page of docs/ that a measurement writes: what stands between two marks, and nothing else."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Marks:
    """Where the section of this name begins and ends, and the command that writes it."""

    name: str
    command: str

    @property
    def begin(self) -> str:
        """The line before the section."""
        return f"<!-- {self.name}: written by `{self.command}` -->"

    @property
    def end(self) -> str:
        """The line after it."""
        return f"<!-- end of {self.name} -->"

    def replaced(self, text: str, section: str) -> str:
        """The page with the section between its marks, which it must have; ValueError where it has not."""
        before, begin, rest = text.partition(self.begin)
        _, end, after = rest.partition(self.end)
        if not (begin and end):
            raise ValueError(f"the page has no '{self.begin}' ... '{self.end}'")
        return f"{before}{self.begin}\n\n{section}\n\n{self.end}{after}"

    def of(self, path: Path) -> str:
        """The section as a page has it."""
        return path.read_text("utf-8").partition(self.begin)[2].partition(self.end)[0].strip()

    def write(self, path: Path, section: str) -> None:
        """Put the section into a page."""
        path.write_text(self.replaced(path.read_text("utf-8"), section), "utf-8")


def table(head: Sequence[str], rows: Iterable[Sequence[object]], numbers_from: int = 1) -> str:
    """A Markdown table; columns from `numbers_from` on are aligned to the right."""
    rule = ["---" if i < numbers_from else "---:" for i in range(len(head))]
    lines = [head, rule, *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
