"""redirect.json, the report of libictus-redirect.so (redirect.md)."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from ictus.model import redirect_variables
from ictus.model.document import Document, DocumentPart

REPORT = "redirect.json"


def report_variable(folder: Path, *environments: Mapping[str, str]) -> dict[str, str]:
    """The variable that names the folder of a launch as the place of the report.

    Empty without a redirect profile, or where the user chose another place.
    """
    names = {name for environment in environments for name in environment}
    has_profile = redirect_variables.PROFILE in names and redirect_variables.REPORT not in names
    return {redirect_variables.REPORT: str(folder.absolute() / REPORT)} if has_profile else {}


class OperationCalls(DocumentPart):
    """The calls of one operation, of all processes."""

    operation: str
    calls: int
    rerouted: int
    passed: dict[str, int]
    """Calls that the library executed itself, by the reason."""


class RerouteCount(DocumentPart):
    """The calls that one line of the profile rerouted."""

    line: int
    operation: str
    n: int
    from_bytes: int
    to_bytes: int
    mockup: str
    calls: int
    bytes: int
    """Total volume of these calls."""


class ImportedCalls(DocumentPart):
    """What one object of the program imports from MPI that moves data or waits, and cannot be rerouted."""

    file: str
    functions: tuple[str, ...]


class RedirectReport(Document):
    """How the calls of a program were executed."""

    FILE: ClassVar = REPORT

    state: str
    """`finalised`; with any other state the program did not call MPI_Finalize (yet), and no call is counted."""
    profile: str
    measured_on: str
    library_version: str
    n_ranks: int
    limit_bytes: int
    scratch_bytes: int
    """Memory of mock-ups, maximum over processes."""
    calls: int
    rerouted: int
    operations: tuple[OperationCalls, ...]
    reroutes: tuple[RerouteCount, ...]
    not_covered: tuple[ImportedCalls, ...] = ()
    """Of rank 0, at the end."""
    warnings: tuple[str, ...]

    @property
    def finalised(self) -> bool:
        """Whether the program called MPI_Finalize, so that its calls are counted."""
        return self.state == "finalised"

    def lines(self) -> Iterator[str]:
        """A sentence for the whole program, then a line for each operation."""
        if not self.calls:
            yield "Nothing is known of the program's calls: it called none of the functions that can be rerouted."
            return
        yield f"{self.rerouted} of {_counted(self.calls)} rerouted by {self.profile}."
        for operation in self.operations:
            sums: dict[str, int] = {}
            for line in self.reroutes:
                if line.operation == operation.operation and line.calls:
                    sums[line.mockup] = sums.get(line.mockup, 0) + line.calls
            parts = [f"{calls} as {mockup}" for mockup, calls in sorted(sums.items())]
            parts += [f"{calls} passed through: {reason}" for reason, calls in operation.passed.items()]
            yield f"  {operation.operation}: {_counted(operation.calls)}, {', '.join(parts)}"


def _counted(calls: int) -> str:
    return f"{calls} call{'' if calls == 1 else 's'}"
