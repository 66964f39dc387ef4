"""The factors of launches that a plan may cross beside libraries and algorithms: variables of the environment, the
heap, pinning, the order in which ranks take nodes, words for the launcher, flags that the core is built with, and the
governor of the processors. Each belongs to the whole process, and so to a launch.

    --env UCX_TLS=sm --env UCX_TLS=self --pin cores,none

are four settings. A setting is part of a variant (model/algorithm.py), whose name ends with it:
`env.UCX_TLS=sm,pin=none`.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ictus.model.algorithm import DEFAULT, Variant
from ictus.model.environment import ENVIRONMENT
from ictus.model.errors import UsageError
from ictus.model.heap import HEAP
from ictus.model.plan import Plan

Setting = Mapping[str, str]
"""By factor: its value in a launch."""


PIN = "pin"
UNPINNED = "none"
"""The value of `PIN` that leaves the placing of ranks to the library."""
MAP_BY = "map-by"
LAUNCHER_OPTIONS = "launcher-options"
CORE_FLAGS = "core-flags"
GOVERNOR = "governor"
NAMED = (HEAP, PIN, MAP_BY, LAUNCHER_OPTIONS, CORE_FLAGS, GOVERNOR)
"""Factors that are options of a plan, by their keys; the others are variables of the environment."""
CLOCKS_AND_SETTINGS = ("clock", "clocksync", *NAMED)
"""Keys of what has one value in a launch, and several in a campaign that crosses them."""


def is_launch_factor(factor: str) -> bool:
    """Whether it is one of `NAMED`, or a variable of the environment, `env.NAME`."""
    return factor in NAMED or (factor.startswith(ENVIRONMENT) and len(factor) > len(ENVIRONMENT))


def as_option(factor: str) -> str:
    """A factor as its option is spelled; a variable keeps its underscores."""
    return factor if is_launch_factor(factor) else factor.replace("_", "-")


def names_a_setting(variant: str) -> bool:
    """Whether the name of a variant begins with a setting: no algorithm is forced."""
    return is_launch_factor(variant.partition("=")[0])


def settings_of(plan: Plan) -> tuple[Setting, ...]:
    """All combinations of the factors with several values, in the order given; one empty setting where there are
    none.
    """
    variables = {f"{ENVIRONMENT}{name}": values for name, values in plan.environment.items()}
    factors: Mapping[str, str | Sequence[str]] = {**variables, **named_values(plan)}
    each = (
        [(name, value) for value in values]
        for name, values in factors.items()
        if not isinstance(values, str) and len(values) > 1
    )
    return tuple(dict(chosen) for chosen in itertools.product(*each))


def named_values(plan: Plan) -> dict[str, tuple[str, ...]]:
    """The values of each of `NAMED`: one that all launches have, or several that are crossed."""
    return {
        HEAP: plan.heap,
        PIN: plan.pin,
        MAP_BY: plan.map_by,
        LAUNCHER_OPTIONS: plan.launcher_options or ("",),
        CORE_FLAGS: plan.core_flags or ("",),
        GOVERNOR: plan.governor or ("",),
    }


def value_in(plan: Plan, variant: Variant, factor: str) -> str:
    """The value of one of `NAMED` in the launches of a variant."""
    return variant.factors.get(factor, named_values(plan)[factor][0])


def setting_name(algorithm: str, setting: Setting) -> str:
    """The name of a variant: that of its algorithms, then its setting."""
    parts = [] if algorithm == DEFAULT and setting else [algorithm]
    return ",".join([*parts, *(f"{factor}={value}" for factor, value in setting.items())])


def without_heap(variant: str) -> str:
    """The name of a variant without its heap."""
    return _HEAP.sub("", variant).removeprefix(",") or DEFAULT


_HEAP = re.compile(rf",?\b{HEAP}=\w+(?=,|$)")


def in_setting(variant: Variant, setting: Setting) -> Variant:
    """A variant, launched in a setting; UsageError where both decide one variable."""
    chosen = replace(variant, name=setting_name(variant.name, setting), factors=dict(setting))
    twice = sorted(variant.setting.environment.keys() & chosen.environment.keys())
    if twice:
        raise UsageError(f"--env {twice[0]}: algorithm '{variant.name}' sets this variable itself; leave one out")
    return chosen
