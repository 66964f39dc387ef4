"""A method of measuring: how ranks are started together, how calls are strung together, how often."""

from pydantic import BaseModel, ConfigDict, model_validator

from ictus.model.plan_field import Name
from ictus.model.registries import Registries
from ictus.model.spec import Spec


class Method(BaseModel):
    """One (process synchronisation, scheme, repetition): three factors of a case that are varied together."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    procsync: Name = Spec("window")
    scheme: Name = Spec("per-call")
    repetition: Name = Spec("fixed")

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: object) -> object:
        """`barrier(library)/loop(calls=100)/fixed`, as on the command line; what is left out at the end stays."""
        if not isinstance(value, str):
            return value
        words = [word.strip() for word in value.split("/")]
        if len(words) > len(FAMILIES) or not all(words):
            raise ValueError(f"'{value}': expected PROCSYNC, PROCSYNC/SCHEME or PROCSYNC/SCHEME/REPETITION")
        return dict(zip(FAMILIES, words, strict=False))

    def checked(self, registries: Registries) -> "Method":
        """This method with its names checked and in full form; UsageError for what is unknown or out of range."""
        return Method(**{family: registries.check(family, getattr(self, family)) for family in FAMILIES})


FAMILIES = ("procsync", "scheme", "repetition")
"""The families that a method names a member of, and the factors of a case that it decides."""
