"""dims.json (file-format.md): what libraries answer to MPI_Dims_create."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field, model_validator

from ictus.guidelines.dims.analysis import DIMENSIONS, violations
from ictus.guidelines.dims.tables import Answers
from ictus.model.document import Document


class DimsDocument(Document):
    """All answers of each library."""

    FILE: ClassVar = "dims.json"

    created: str
    host: str
    up_to: int = Field(ge=1)
    """The largest number of processes."""
    factors: Mapping[str, Mapping[int, tuple[tuple[int, ...], ...]]] = Field(min_length=1)
    """By library and number of dimensions: those of 1, 2, ... `up_to` processes."""

    @model_validator(mode="after")
    def _of_each_number(self) -> "DimsDocument":
        for label, of_library in self.factors.items():
            for dimensions, each in of_library.items():
                if dimensions not in DIMENSIONS:
                    raise ValueError(f"factors.{label}: {dimensions} dimensions, expected one of {DIMENSIONS}")
                if len(each) != self.up_to:
                    raise ValueError(f"factors.{label}.{dimensions} has {len(each)} answers, expected {self.up_to}")
        return self

    def answers(self) -> tuple[Answers, ...]:
        """Each library's in each number of dimensions, with those that could be better."""
        return tuple(
            Answers(label, dimensions, self.up_to, violations(dict(enumerate(each, start=1)), dimensions))
            for label, of_library in self.factors.items()
            for dimensions, each in sorted(of_library.items())
        )
