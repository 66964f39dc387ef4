"""Variables for the environment of ranks. Those with several values are a factor of launches, whose combinations are in
model/launch_factor.py.
"""

import re
from collections.abc import Mapping

from ictus.model.errors import UsageError

ENVIRONMENT = "env."
"""The prefix of factors that are variables of the environment of launches: `env.OMPI_MCA_btl`."""
UNSET = "unset"
"""The value of a variable that a launch does not have."""

Values = Mapping[str, str | tuple[str, ...]]
"""The variables of a plan: those with several values are a factor."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def checked_values(variables: Mapping[str, object]) -> dict[str, str | tuple[str, ...]]:
    """Each variable with its value, or with its values where they are several. Raises UsageError."""
    checked: dict[str, str | tuple[str, ...]] = {}
    for name, texts in variables.items():
        if not _NAME.fullmatch(name):
            raise UsageError(f"variable '{name}': names are letters, digits and _, with no digit first")
        several = texts if isinstance(texts, (list, tuple)) else [texts]
        if not several or not all(isinstance(value, str) for value in several):
            raise UsageError(f"variable '{name}': expected a text, or a list of texts that are tried in turn")
        mixed = next((text for text in map(str, several) if "," in text and UNSET in text.split(",")), None)
        if mixed is not None:  # commas are part of a value: UCX_TLS=sm,self
            each = " ".join(f"--env {name}={part}" for part in mixed.split(","))
            raise UsageError(f"variable '{name}': '{mixed}' would be one value; to try several in turn, give {each}")
        values = list(dict.fromkeys(several))
        checked[name] = values[0] if len(values) == 1 else tuple(values)
    return checked


def common(variables: Values) -> dict[str, str]:
    """The variables that all launches have."""
    return {name: value for name, value in variables.items() if isinstance(value, str)}
