"""Launches each of which leaves one document, in a folder that a later call continues: those of studies, and those of a
program with and without a remedy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ictus.engine.event import Note, Observer, WarningNote
from ictus.engine.journal import Journal
from ictus.engine.launch_loop import Launch, LaunchLoop, PlannedLaunch
from ictus.engine.recovery import KeptLaunch, recover
from ictus.model.document import Document
from ictus.model.errors import MeasurementError, StoppedByUser, UsageError
from ictus.store.checksums import Checksums
from ictus.store.journal import hang_text


@dataclass(frozen=True)
class EndedLaunch:
    """How a launch ended; what it says is in its document."""

    elapsed_s: float
    hung_in: str | None = None
    """Where it hung after its document was written, and was ended; None where it ended."""


class DocumentLoop(LaunchLoop[Launch, EndedLaunch]):
    """The record of a launch is how it ended; a launch that hung is told each time, for its folder is continued."""

    def __init__(
        self,
        folder: Path,
        launches: Sequence[Launch],
        journal: Journal,
        observer: Observer,
        document: type[Document],
        *,
        file: str = "",
        retries: int = 0,
        kept: bool = True,
    ) -> None:
        """`document` is what each launch leaves in its folder, `file` its name where it is not the document's own."""
        super().__init__(folder, launches, journal, observer, retries=retries, kept=kept)
        self._document, self._file = document, file or document.FILE

    def to_the_end(self) -> None:
        """Launch what the folder does not have. Raises as `run_all`; StoppedByUser where the user ended it,
        MeasurementError where nothing is kept then.
        """
        kept_launch = KeptLaunch(lambda folder: (folder / self._file).is_file(), self._damage, lambda _: {})
        state, notes = recover(self.folder, self.slots, self.journal, kept_launch)
        self.done = set(state.accepted)
        for note in notes:
            self.observer(Note(note))
        for name, hung_in in state.hung.items():
            self.observer(WarningNote(f"{name} {hang_text(hung_in)}"))
        self.journal.start(resumed=bool(self.done))
        try:
            complete = self.run_all()
        except KeyboardInterrupt:
            complete = False
        if not complete:
            self.stop()
            if self.kept:
                raise StoppedByUser(self.folder, len(self.done), len(self.slots))
            raise MeasurementError("stopped; nothing is kept")
        self.journal.append("done", {})

    def keep(self, slot: Launch, partial: Path, record: EndedLaunch) -> None:
        """A complete launch counts."""
        self.accept(slot, partial, record.elapsed_s, hung_in=record.hung_in)

    def _damage(self, folder: Path, checksums: Checksums, _: PlannedLaunch) -> str | None:
        try:
            checksums.check_file(folder / self._file)
            self._document.read(folder / self._file)
        except (MeasurementError, UsageError) as error:
            return str(error)
        return None
