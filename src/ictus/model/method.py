"""A method of measuring: how ranks are started together, how calls are strung together, how often."""

from pydantic import BaseModel, ConfigDict

from ictus.model.registries import Registries


class Method(BaseModel):
    """One (process synchronisation, scheme, repetition): three factors of a case that are varied together."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    procsync: str = "window"
    scheme: str = "per-call"
    repetition: str = "fixed"

    def checked(self, registries: Registries) -> "Method":
        """This method with its names checked and in full form; UsageError for what is unknown or out of range."""
        return Method(**{family: str(registries.check(family, getattr(self, family))) for family in FAMILIES})


FAMILIES = ("procsync", "scheme", "repetition")
"""The families that a method names a member of, and the factors of a case that it decides."""
