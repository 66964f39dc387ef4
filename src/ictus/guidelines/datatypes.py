"""Guidelines of derived datatypes, after Gropp, Hoefler, Thakur and Träff, "Performance expectations and guidelines for
MPI derived datatypes" (2011), by a round trip of the same elements in two descriptions:

    vector-indexed          a special constructor must not be slower than a more general one of the same bytes
    milc_zdown-pack         a datatype must not be slower than MPI_Pack, contiguous bytes and MPI_Unpack
    normalised-milc_zdown   the normal form must not be slower than the datatype as built
    milc_zdown-normalised   nor the datatype as built than its normal form, which a library can find when it commits it

A size is rounded up to whole units of both layouts. A new layout is one line here for each guideline that has a
meaning for it.
"""

from collections.abc import Iterator

from ictus.guidelines.rule import Kind, Rule, Source
from ictus.model.registries import Registries

_ROUND_TRIP, _PACKED = "pingpong", "pingpong_as_packed"

_CONSTRUCTORS = {
    "contiguous": "contiguous(8)",
    "indexed": "indexed(8)",
    "hindexed": "hindexed(8)",
    "struct": "struct(8)",
    "indexed_block": "indexed_block(8,2)",
    "nested_vector": "nested_vector(2,4,4,2,32)",
    "subarray": "subarray(2,8)",
    "vector": "vector(2,4,8)",
}
"""What stands for a constructor."""
_FLAT = ("vector", "indexed_block", "nested_vector", "subarray")
"""Constructors that are more special than a list of their runs, MPI_Type_indexed."""
_APPLICATIONS = (
    "milc_zdown",
    "nas_lu_x",
    "nas_lu_y",
    "nas_mg_x",
    "nas_mg_y",
    "nas_mg_z",
    "wrf",
    "lammps_full",
    "lammps_atomic",
    "specfem_oc",
    "specfem_cm",
    "specfem_mt",
)
_PACKABLE = ("indexed", "hindexed", "struct", "indexed_block", "nested_vector", "subarray", *_APPLICATIONS)
"""All but `vector`, of which `vector-pack` is one of the further rows, and `contiguous`, which is packed as it lies."""
_NORMALISABLE = (
    "struct",
    "subarray",
    "milc_zdown",
    "nas_lu_x",
    "nas_lu_y",
    "wrf",
    "lammps_full",
    "lammps_atomic",
    "specfem_cm",
)
"""Those whose normal form is another datatype than the one that is built."""


def datatype_rules(registries: Registries) -> Iterator[Rule]:
    """All of them, each named after its two sides."""

    def rule(name: str, left: str, right: str, *, right_operation: str = _ROUND_TRIP) -> Rule:
        layout, right_layout = (registries.check("layout", text) for text in (left, right))
        trip, right_trip = (registries.check("operation", text) for text in (_ROUND_TRIP, right_operation))
        spec = None if right_layout == layout else right_layout
        return Rule(name, Kind.PATTERN, Source.DATATYPES, trip, right_trip, layout, spec)

    layouts = {**_CONSTRUCTORS, **{name: name for name in _APPLICATIONS}}
    yield rule("contiguous-basic", layouts["contiguous"], "basic")
    for name in _FLAT:
        yield rule(f"{name}-indexed", layouts[name], f"flattened({layouts[name]},by=indexed)")
    for left, right in (("indexed", "hindexed"), ("hindexed", "struct")):
        yield rule(f"{left}-{right}", layouts[left], layouts[right])
    for name in _PACKABLE:
        yield rule(f"{name}-pack", layouts[name], layouts[name], right_operation=_PACKED)
    for name in _NORMALISABLE:
        normal = f"normalised({layouts[name]})"
        yield rule(f"normalised-{name}", normal, layouts[name])
        yield rule(f"{name}-normalised", layouts[name], normal)
