"""What a campaign says of itself when it was not measured by Ictus: output of another suite, read into a folder.

Numbers stand there as the suite printed them. What it did not print is unknown, and is said to be.
"""

from ictus.model.document import DocumentPart

CALLS = "calls"
"""The fact how many calls a printed number is of."""
LAUNCHER = "launcher_options"
"""The fact what the launcher was told, as an argument of an operation."""
VALIDATION = "validation"
"""The fact whether results were checked."""
VERSION = "version"
"""The fact of which version the suite is."""


class ImportedLaunch(DocumentPart):
    """Where a launch stood."""

    slot: int
    file: str
    line: int
    """Of the file, at which the output of the launch begins."""
    program: str
    """The benchmark and its version, in the words of the file."""
    incomplete: str = ""
    """Why it did not end well, with file and line; or which sizes it lacks that others have. Nothing where it did."""
    started_with: str = ""
    """The words of the echoed command that say how processes were placed and connected; nothing where none is echoed.
    """


class ImportRecord(DocumentPart):
    """The key `imported` of campaign.json."""

    suite: str
    """Its name: a member of ictus.interchange.registry."""
    title: str
    """The suite in words, with its version where the files say it."""
    summary: str | None = None
    """What the one number of a launch is over its calls: `mean`, `median`, `p99`; None where files hold every
    repetition, so that `--summary` decides.
    """
    numbers: tuple[str, ...]
    """One sentence part for each kind of number that the files hold."""
    unknown: tuple[str, ...]
    """What the files do not say and a measurement of Ictus does."""
    launches: tuple[ImportedLaunch, ...] = ()
    interleaved: bool = False
    """Whether the user says that launches of the libraries were in turn, which no file says."""
    version: str = ""
    """Of the suite, several where its launches differ; nothing where it is unknown, or is that of the library."""
    adapts_calls: bool = False
    """Whether the suite itself chooses how many calls it times, so that launches of one case differ in it."""

    @property
    def caption(self) -> str:
        """What tables say of their numbers."""
        return f"Imported from {self.title}: {'; '.join(self.numbers)}."

    @property
    def warning(self) -> str:
        """The same with what is not known."""
        return f"imported from {self.title}: {'; '.join(self.numbers)}. Not known: {', '.join(self.unknown)}"

    @property
    def incomplete(self) -> str:
        """How many launches did not end well, and the reason of the first; nothing where all did."""
        bad = [launch.incomplete for launch in self.launches if launch.incomplete]
        if not bad:
            return ""
        verb = "is" if len(bad) == 1 else "are"
        further = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        return f"{len(bad)} of {len(self.launches)} imported launches {verb} incomplete: {bad[0]}{further}"
