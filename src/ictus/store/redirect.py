"""redirect.json, the report of libictus-redirect.so (docs/redirect.md)."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from ictus.model.document import Document, DocumentPart

REPORT = "redirect.json"


def reported(folder: Path, *environments: Mapping[str, str]) -> dict[str, str]:
    """The variable that makes the library write its report into the folder of a launch; none where it reroutes nothing,
    or reports elsewhere.
    """
    names = {name for one in environments for name in one}
    reports = "ICTUS_REDIRECT_PROFILE" in names and "ICTUS_REDIRECT_REPORT" not in names
    return {"ICTUS_REDIRECT_REPORT": str(folder.absolute() / REPORT)} if reports else {}


class OperationCalls(DocumentPart):
    """The calls of one operation, of all processes."""

    operation: str
    calls: int
    rerouted: int
    passed: dict[str, int]
    """Calls that were the library's, by the reason."""


class RerouteCount(DocumentPart):
    """What became of one line of the profile."""

    line: int
    operation: str
    n: int
    from_bytes: int
    to_bytes: int
    mockup: str
    calls: int
    bytes: int
    """Their volumes together."""


class RedirectReport(Document):
    """What became of the calls of a program."""

    FILE: ClassVar = REPORT

    state: str
    """`finalised`; else the program has not called MPI_Finalize (yet), and nothing is counted."""
    profile: str
    measured_on: str
    library_version: str
    n_ranks: int
    limit_bytes: int
    scratch_bytes: int
    """Memory that mock-ups had, on the process with the most."""
    calls: int
    rerouted: int
    operations: tuple[OperationCalls, ...]
    reroutes: tuple[RerouteCount, ...]
    warnings: tuple[str, ...]

    @property
    def finalised(self) -> bool:
        """Whether the program ended as MPI asks, so that its calls are counted."""
        return self.state == "finalised"

    def lines(self) -> Iterator[str]:
        """A sentence, then one for each operation."""
        yield f"{self.rerouted} of {_counted(self.calls)} rerouted by {self.profile}."
        for one in self.operations:
            sums: dict[str, int] = {}
            for line in self.reroutes:
                if line.operation == one.operation and line.calls:
                    sums[line.mockup] = sums.get(line.mockup, 0) + line.calls
            parts = [f"{calls} as {mockup}" for mockup, calls in sorted(sums.items())]
            parts += [f"{calls} passed through: {reason}" for reason, calls in one.passed.items()]
            yield f"  {one.operation}: {_counted(one.calls)}, {', '.join(parts)}"


def _counted(calls: int) -> str:
    return f"{calls} call{'' if calls == 1 else 's'}"
