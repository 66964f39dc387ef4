"""A function that is imported when it is called, so that a command does not wait for what its result does not need."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class EntryPoint:
    """A function by its name, `ictus.comparison.goal:goal_of`."""

    name: str

    def load(self) -> Any:
        """The function itself."""
        module, name = self.name.split(":")
        return getattr(import_module(module), name)

    def __call__(self, *values: Any, **keywords: Any) -> Any:
        """What the function returns."""
        return self.load()(*values, **keywords)
