"""Environment variables as a factor of launches: a variable of the plan may have several values, which are crossed.

    --env UCX_TLS=sm --env UCX_TLS=self --env OMPI_MCA_btl=unset --env OMPI_MCA_btl=self,sm

are four settings. A setting is part of a variant (model/algorithm.py), whose name ends with it:
`env.UCX_TLS=sm,env.OMPI_MCA_btl=unset`.
"""

import itertools
import re
from collections.abc import Mapping
from dataclasses import replace

from ictus.model.algorithm import DEFAULT, Variant
from ictus.model.errors import UsageError

ENVIRONMENT = "env."
"""The prefix of factors that are environment variables of launches: `env.OMPI_MCA_btl`."""
UNSET = "unset"
"""The value of a variable that a launch does not have."""

Values = Mapping[str, str | tuple[str, ...]]
"""The variables of a plan: those with several values are a factor."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def checked_values(variables: Mapping[str, object]) -> dict[str, str | tuple[str, ...]]:
    """Each variable with its value, or with its values where they are several. Raises UsageError."""
    found: dict[str, str | tuple[str, ...]] = {}
    for name, given in variables.items():
        if not _NAME.fullmatch(name):
            raise UsageError(f"variable '{name}': names are letters, digits and _, with no digit first")
        values = list(dict.fromkeys(given if isinstance(given, (list, tuple)) else [given]))
        if not values or not all(isinstance(value, str) for value in values):
            raise UsageError(f"variable '{name}': expected a text, or a list of texts that are tried in turn")
        found[name] = values[0] if len(values) == 1 else tuple(values)
    return found


def common(variables: Values) -> dict[str, str]:
    """The variables that all launches have."""
    return {name: value for name, value in variables.items() if isinstance(value, str)}


def settings(variables: Values) -> tuple[Mapping[str, str], ...]:
    """All combinations of those with several values, in the order given; one empty setting where there are none."""
    each = ([(name, value) for value in values] for name, values in variables.items() if isinstance(values, tuple))
    return tuple(dict(chosen) for chosen in itertools.product(*each))


def setting_name(algorithm: str, setting: Mapping[str, str]) -> str:
    """The name of a variant: that of its algorithms, then its setting."""
    parts = [*([] if algorithm == DEFAULT and setting else [algorithm])]
    return ",".join([*parts, *(f"{ENVIRONMENT}{name}={value}" for name, value in setting.items())])


def in_setting(variant: Variant, setting: Mapping[str, str]) -> Variant:
    """A variant, launched in a setting; UsageError where both decide one variable."""
    twice = sorted(variant.setting.environment.keys() & setting.keys())
    if twice:
        raise UsageError(f"--env {twice[0]}: algorithm '{variant.name}' sets this variable itself; leave one out")
    return replace(variant, name=setting_name(variant.name, setting), environment=dict(setting))
