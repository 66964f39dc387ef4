"""Ictus measures MPI communication: one common start, one common clock, fair comparisons of libraries.

The whole public interface from Python is what `ictus.api` lists and documents. Names are imported when they are first
used: polars and scipy take most of a second, which `ictus --help` does not need.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ictus.api import *  # noqa: F403 (what it gives on)


def __getattr__(name: str) -> Any:
    """The public object of that name; `__all__` has all names."""
    if name == "__all__":
        return _public()
    if not name.startswith("_") and name in _public():
        return getattr(import_module("ictus.api"), name)
    raise AttributeError(f"module 'ictus' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted((*globals(), *_public()))


def _public() -> list[str]:
    """What `ictus.api` imports to give it on."""
    return sorted(name for name in vars(import_module("ictus.api")) if not name.startswith("_"))
