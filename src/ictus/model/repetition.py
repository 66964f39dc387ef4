"""How often a case is repeated, as a plan says it in two fields: `repetition` and `nrep`."""

from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.spec import Argument, Number, Spec, parse_spec


def full_repetition(registries: Registries, text: str, nrep: int | str | None) -> Spec:
    """`--repetition fixed --nrep 100` is `fixed(nrep=100)`; said twice, both must agree."""
    full = registries.check("repetition", text)
    if isinstance(nrep, str) and full != registries.check("repetition", "fixed"):
        raise UsageError(f"nrep '{nrep}': the counts are predicted ones; leave out repetition '{text}'")
    if nrep is None or isinstance(nrep, str):
        return full
    keys = [parameter.name for parameter in registries.family("repetition").member(full.name).parameters]
    if "nrep" not in keys:
        raise UsageError(f"nrep {nrep}: repetition '{full.name}' has no number of repetitions; leave nrep out")
    asked = [argument.key or key for argument, key in zip(parse_spec(text).arguments, keys, strict=False)]
    if "nrep" in asked and full.argument("nrep") != Number(str(nrep)):
        raise UsageError(f"nrep {nrep}: repetition '{text}' says {full.argument('nrep')}; give one of the two")
    rest = tuple(argument for argument in full.arguments if argument.key != "nrep")
    return registries.check("repetition", Spec(full.name, (*rest, Argument("nrep", Number(str(nrep))))))
