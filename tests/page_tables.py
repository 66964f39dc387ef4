"""Tables of docs/ that long tests measure. Each stands between two marks, which name the test that writes it:

    ICTUS_UPDATE_GOLDEN=1 pytest -m long tests/calibration        # writes them all
    ICTUS_CAMPAIGNS=0.1 pytest -m long tests/calibration -s       # shows them, of a tenth of the campaigns

A table of fewer campaigns than its page says is never written.
"""

import os
from dataclasses import dataclass

from tests.engines import ROOT
from tools.marked_page import Marks

WRITE = "ICTUS_UPDATE_GOLDEN"


def campaigns(full: int) -> int:
    """How many of so many campaigns are drawn or measured: all, or the share that ICTUS_CAMPAIGNS asks for."""
    return max(1, round(full * float(os.environ.get("ICTUS_CAMPAIGNS", "1"))))


@dataclass(frozen=True)
class PageTable:
    """A section of a page below docs/, by its name, and the test below tests/ that writes it."""

    name: str
    page: str
    test: str

    @property
    def marks(self) -> Marks:
        """What it stands between."""
        return Marks(self.name, f"{WRITE}=1 pytest -m long tests/{self.test}")

    @property
    def text(self) -> str:
        """As the page has it."""
        return self.marks.of(ROOT / "docs" / self.page)

    def show(self, text: str) -> None:
        """Print what was measured, and put it into the page where that is asked for."""
        print(f"\n{text}")
        if os.environ.get(WRITE) == "1":
            assert campaigns(100) >= 100, "a table of fewer campaigns than it says is not written"
            self.marks.write(ROOT / "docs" / self.page, text)

    def show_row(self, row: str, beginning: str) -> None:
        """The same of one row, in the place of the one that begins so."""
        rows = self.text.splitlines()
        assert sum(one.startswith(beginning) for one in rows) == 1, f"{self.page} has no row '{beginning}'"
        self.show("\n".join(row if one.startswith(beginning) else one for one in rows))
