"""Which clock is read in the end: a skewed clock is another one put off by what is known."""

from ictus.model.spec import Spec


def base_clock(spec: Spec) -> str:
    """The name of the clock below all skews; `skewed` where it does not say over which clock it is put."""
    below = next((one.value for one in spec.arguments if one.key in ("base", None)), None)
    return base_clock(below) if spec.name == "skewed" and isinstance(below, Spec) else spec.name
