"""How the elements of a message lie in memory: what Python knows of the core's family `layout`.

A message is so many units of a layout. The core counts the elements of a unit for itself (`layout::elements_of`).
"""

from ictus.model.spec import Number, Spec

BASIC = "basic"
"""The member that stands for MPI's own datatype, and the default."""


def elements_of(layout: Spec) -> int:
    """Elements of a unit of `layout`, in full form."""
    if layout.name == "contiguous":
        return _count(layout, "elements")
    if layout.name == "vector":
        return _count(layout, "blocklength") * _count(layout, "blocks")
    if layout.name == "indexed":  # runs of 1, 2, 3, ... elements
        runs = _count(layout, "blocks")
        return runs * (runs + 1) // 2
    return 1


def _count(layout: Spec, key: str) -> int:
    value = layout.argument(key)
    if not isinstance(value, Number):
        raise TypeError(f"'{layout}' is not in full form: it has no number '{key}'")
    return int(value.text)
