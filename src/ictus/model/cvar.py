"""Control variables (MPI_T): which ones differ from a reference taken in a clean environment.

MPI_T has no defaults to ask for, so "differs" can only mean "from the reference" (decisions.md 23).
"""

from collections.abc import Mapping


def differing_cvars(reference: Mapping[str, str], found: Mapping[str, str]) -> dict[str, dict[str, str | None]]:
    """Variables whose value differs, as `{name: {"reference": ..., "found": ...}}`, by name; None: not there at all."""
    return {
        name: {"reference": reference.get(name), "found": found.get(name)}
        for name in sorted({*reference, *found})
        if reference.get(name) != found.get(name)
    }
