"""How an operation is called: which processes take part, with which root, in which layout of the message.

The core counts for itself (`communicator::size_of`, the family `layout`); a test compares the two.
"""

from collections.abc import Iterable, Sequence
from math import prod

from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.spec import Number, Spec

WORLD = Spec("world")
"""All processes of a launch: the default."""
ROTATING = "rotating"
"""The root that is another one in each repetition: i mod p in repetition i."""
FIRST_ROOT = "0"
"""The default, and what stands where an operation has no root."""


def n_together(comm: Spec, n: int, registries: Registries) -> int:
    """How many of `n` processes call together by `comm`, in full form; UsageError where there are too few."""
    rule = registries.family("comm").member(comm.name).size
    sizes = {"all": n, "half": n // 2}
    size = sizes[rule] if rule in sizes else _group_size(comm, rule)
    if not 1 <= size <= n:
        raise UsageError(f"comm '{comm}' needs more processes than {n}")
    return size


def check_roots(roots: Iterable[str], comms: Sequence[Spec], processes: Iterable[int], registries: Registries) -> None:
    """UsageError for a root that is not a rank of those that call together; for processes that are too few."""
    sizes = {(comm, n): n_together(comm, n, registries) for n in processes for comm in comms}
    (comm, n), least = min(sizes.items(), key=lambda item: item[1])
    beyond = next((root for root in roots if root != ROTATING and int(root) >= least), None)
    if beyond is not None and comm == WORLD:
        raise UsageError(f"root {beyond}: the smallest number of processes is {least}, roots begin at 0")
    if beyond is not None:
        raise UsageError(f"root {beyond}: with comm '{comm}' {least} of {n} processes call together, roots begin at 0")


def _group_size(comm: Spec, key: str) -> int:
    value = comm.argument(key)
    if not isinstance(value, Number):
        raise TypeError(f"'{comm}' is not in full form: it has no number '{key}'")
    return int(value.text)


BASIC = Spec("basic")
"""The member for MPI's own datatype, the default."""


def elements_of(layout: Spec) -> int:
    """Elements of a unit of `layout`, in full form, by the rule of its member: products of numbers, parameters, powers
    (`length^dimensions`) and triangle numbers (`triangle(blocks)`), added up.
    """
    rule = Registries.load().family("layout").member(layout.name).elements
    return sum(prod(_factor(layout, factor) for factor in term.split("*")) for term in rule.split("+"))


def _factor(layout: Spec, text: str) -> int:
    if text.isdigit():
        return int(text)
    if text.startswith("triangle("):
        n = _factor(layout, text[len("triangle(") : -1])
        return n * (n + 1) // 2
    base, power, exponent = text.partition("^")
    if power:
        return int(_factor(layout, base) ** _factor(layout, exponent))
    value = layout.argument(text)
    if isinstance(value, Spec):
        return elements_of(value)
    if not isinstance(value, Number):
        raise TypeError(f"'{layout}' is not in full form: it has no number '{text}'")
    return int(value.text)


EQUAL_COUNTS = Spec("equal")
"""The member of family `counts` that stands where an operation takes no sizes of blocks, and the default."""
OUT_OF_PLACE = "no"
IN_PLACE = "yes"
