"""A subset of a campaign's cases: operations with sizes and a memory layout of their own.

A campaign whose cases are no full cross product of operations and sizes, such as that of a performance guideline, is a
union of subsets. What two of them have in common is one case.
"""

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict, Field

from ictus.model.call_shape import BASIC
from ictus.model.plan_field import Name, Operations, Sizes
from ictus.model.registries import Registries
from ictus.model.spec import Spec


class Subset(BaseModel):
    """Every operation at every size. Aliases are the keys of TOML and campaign.json."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    operations: Operations = Field(alias="op")
    sizes: Sizes
    layout: Name = BASIC
    """How the elements of a message lie in memory (family `layout`)."""

    def checked(self, registries: Registries) -> "Subset":
        """This subset with its names checked and in full form; UsageError for what is unknown or out of range."""
        operations = dict.fromkeys(registries.check("operation", one) for one in self.operations)
        layout = registries.check("layout", self.layout)
        return self.model_copy(update={"operations": tuple(operations), "layout": layout})


def operations_of(subsets: Iterable[Subset]) -> tuple[Spec, ...]:
    """The operations of all, each once."""
    return tuple(dict.fromkeys(name for subset in subsets for name in subset.operations))


def sizes_of(subsets: Sequence[Subset]) -> tuple[int, ...]:
    """The sizes of all, ascending."""
    return tuple(sorted({size for subset in subsets for size in subset.sizes}))
