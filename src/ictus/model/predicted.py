"""Numbers of repetitions that were predicted, one for each case: what `nrep = "FOLDER"` in a plan becomes."""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, Field

from ictus.model.errors import UsageError
from ictus.model.quantity import format_size
from ictus.model.registries import Registries
from ictus.model.spec import Argument, Number, Spec, parse_spec

AUTO = "auto"
"""`nrep = "auto(...)"`: predicted before the campaign, by these parameters of `repetition nrep`."""
_METRICS = ("rse", "cov_mean", "cov_median")
LAUNCHES = 3
"""Launches of a prediction, of each library."""
SHARED = "fixed(nrep=predicted)"
"""The repetition of all cases of a campaign with predicted counts, where cases are told apart or compared: how many
samples a launch takes is no difference in what is measured.
"""
PLANNED = "fixed(nrep=planned)"
"""The same of a campaign that pursues a precision goal, whose launches have as many samples as were planned."""


class PredictedCount(BaseModel):
    """What one case needs. Specs are in full form."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    operation: str
    size_bytes: int = Field(ge=0)
    n: int = Field(ge=1)
    procsync: str
    scheme: str
    nrep: int = Field(ge=1)
    converged: bool = True
    """Whether the metrics came under their thresholds in every launch; else `nrep` is the most that was tried."""

    @property
    def key(self) -> tuple[str, int, int, str, str]:
        """What the count belongs to."""
        return (self.operation, self.size_bytes, self.n, self.procsync, self.scheme)


def repetition_of(
    counts: Iterable[PredictedCount], key: tuple[str, int, int, str, str], source: str, registries: Registries
) -> str:
    """The repetition of a case, in full form; UsageError that names a case which nothing was predicted for."""
    found = max((one.nrep for one in counts if one.key == key), default=None)  # of all states of the caches
    if found is None:
        operation, size, n, procsync, scheme = key
        raise UsageError(
            f"nrep '{source}': nothing is predicted for {operation} of {format_size(size)} with {n} processes, "
            f"procsync {procsync}, scheme {scheme}; predict it with `ictus nrep`, or leave it out"
        )
    return str(registries.check("repetition", f"fixed({found})"))


def auto_rule(text: str, registries: Registries) -> tuple[str, int]:
    """`auto(max=500,launches=5)` as the repetition `nrep(...)` in full form, and the launches. Raises UsageError."""
    spec = parse_spec(text)
    launches = spec.argument("launches")
    if launches is not None and not (isinstance(launches, Number) and launches.text.isdigit() and int(launches.text)):
        raise UsageError(f"nrep '{text}': launches is {launches}; expected a whole number of 1 or more")
    rest = tuple(Argument(one.key, one.value) for one in spec.arguments if one.key != "launches")
    try:
        rule = registries.check("repetition", str(Spec("nrep", rest)))
    except UsageError as error:
        raise UsageError(f"nrep '{text}': {error}") from error
    least, most = rule.argument("min"), rule.argument("max")
    if isinstance(least, Number) and isinstance(most, Number) and int(most.text) < int(least.text):
        raise UsageError(f"nrep '{text}': max, {most}, is below min, {least}")
    if not any(isinstance(rule.argument(name), Number) for name in _METRICS):
        raise UsageError(f"nrep '{text}': {', '.join(_METRICS)} are all off; give one a threshold")
    return str(rule), LAUNCHES if not isinstance(launches, Number) else int(launches.text)


def is_auto(text: str) -> bool:
    """Whether a text of a plan's `nrep` asks for a prediction rather than for a folder."""
    return text.strip() == AUTO or text.strip().startswith(f"{AUTO}(")
