"""communicators.json (file-format.md): what launches of `ictus-bench communicators creation` measured. Times are in
seconds.
"""

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from ictus.model.document import DocumentPart, Numbers, check_length
from ictus.studies.clocks.document import CoreAnswer, StudyDocument

NAME = "communicators.json"


class CreationTimes(DocumentPart):
    """One call with one number of groups, in one launch."""

    call: str
    """As the option has it: `split`, ..."""
    mpi_name: str
    groups: int = Field(ge=1)
    """Into which it divides the ranks of the launch."""
    largest: int = Field(ge=1)
    """Ranks of the largest new communicator."""
    attempted: int
    valid: int
    makespan_s: Numbers
    """Of each valid repetition: last end minus first begin."""


class CommunicatorsAnswer(CoreAnswer):
    """The answer of one launch."""

    study: Literal["communicators"]
    procsync: str
    clock_bound_s: float | None
    """The largest proven error of the global clock; None where there is none."""
    creations: tuple[CreationTimes, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _of_valid_repetitions(self) -> "CommunicatorsAnswer":
        for number, times in enumerate(self.creations):
            check_length(times.valid, "valid repetition", {f"creations.{number}.makespan_s": times.makespan_s})
        return self


class CommunicatorsDocument(StudyDocument):
    """communicators.json."""

    FILE: ClassVar = NAME

    launches: tuple[CommunicatorsAnswer, ...] = Field(min_length=1)
