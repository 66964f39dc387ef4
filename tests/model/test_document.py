"""Documents as a whole."""

import importlib
import pkgutil
from collections.abc import Iterator

from pydantic import BaseModel, field_validator

import ictus


def models(base: type[BaseModel] = BaseModel) -> Iterator[type[BaseModel]]:
    """All below it."""
    for model in base.__subclasses__():
        yield model
        yield from models(model)


def taken_away(model: type[BaseModel]) -> list[str]:
    """Checks of its bases that it has by the same name: they are not made any more."""
    checks = [
        name
        for base in model.__mro__[1:]
        if issubclass(base, BaseModel)
        for name in (*base.__pydantic_decorators__.field_validators, *base.__pydantic_decorators__.model_validators)
    ]
    return [f"{model.__qualname__}.{name}" for name in dict.fromkeys(checks) if name in vars(model)]


def test_no_document_takes_a_check_of_its_base_away() -> None:
    """Of two methods of one name the later one alone is called."""
    for module in pkgutil.walk_packages(ictus.__path__, "ictus."):
        importlib.import_module(module.name)
    assert [name for model in models() if model.__module__.startswith("ictus.") for name in taken_away(model)] == []


def test_a_check_that_is_taken_away_is_found() -> None:
    """The test above can fail."""

    class Base(BaseModel):
        n: int

        @field_validator("n")
        @classmethod
        def _checked(cls, value: int) -> int:
            return value

    class Derived(Base):
        m: int

        @field_validator("m")
        @classmethod
        def _checked(cls, value: int) -> int:
            return value

    assert taken_away(Base) == []
    assert [name.rpartition(".")[2] for name in taken_away(Derived)] == ["_checked"]
