"""The options of `ictus compare` that say what is compared with what."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ictus.comparison.against import AGAINST
from ictus.comparison.options import Allow, parse_places
from ictus.model.errors import UsageError


@dataclass(frozen=True)
class SideOptions:
    """The other side, and what links it with the first."""

    reference: Annotated[
        str | None,
        typer.Option(
            "--reference",
            metavar="LABEL",
            help="Compare every other library (or value of --by) with this one; a gate judges the others.",
            show_default=False,
        ),
    ] = None
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline", metavar="FOLDER", help="The campaign to compare with, as a second FOLDER.", show_default=False
        ),
    ] = None
    against: Annotated[
        list[Path] | None,
        typer.Option(
            AGAINST,
            metavar="FOLDER...",
            help="Several campaigns to compare with; those before it are the other side. A campaign counts once.",
            show_default=False,
        ),
    ] = None
    control: Annotated[
        str | None,
        typer.Option(
            "--control",
            metavar="LABEL",
            help="The library that stands for the state of the machine in every campaign; none: no library. [default: "
            "one that is the same in all of them]",
            show_default=False,
        ),
    ] = None
    history: Annotated[
        list[Path] | None,
        typer.Option(
            "--history",
            metavar="FOLDER",
            help="A store of `ictus history`, or another campaign (again for each): says what spread is usual between "
            "campaigns. Through a control, the spread between such campaigns counts.",
            show_default=False,
        ),
    ] = None
    allow: Allow = None

    @property
    def allowed(self) -> list[str]:
        """Conditions in which campaigns may differ."""
        return [] if self.allow is None else [name.strip() for name in self.allow.split(",")]

    def parse(self, places: list[str]) -> tuple[list[Path], list[Path], list[str]]:
        """The folders of each side and the names of what is compared. UsageError where a side is named twice."""
        baseline, (folders, names) = self.baseline, parse_places(places)
        if baseline is not None and self.against:
            raise UsageError(f"--baseline '{baseline}': --against names the other side already; leave out one")
        if self.against:
            return folders, self.against, names
        if baseline is not None and len(folders) > 1:
            raise UsageError(
                f"--baseline '{baseline}': '{folders[1]}' is there to be compared with already; leave out one"
            )
        if len(folders) > 2:
            raise UsageError(
                f"'{folders[2]}' is one folder too many: for several campaigns a side give the others behind {AGAINST}"
            )
        return folders[:1], [baseline] if baseline is not None else folders[1:], names
