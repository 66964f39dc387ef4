"""A lens: how one suite measures an operation, and what it prints."""

from collections.abc import Callable
from dataclasses import dataclass

from ictus.model.plan_parts import Method
from ictus.model.registries import Parameter
from ictus.model.spec import Spec
from ictus.studies.lens.suites.measured import SuiteSamples

SECONDS = {"us": 1e-6, "s": 1.0}
"""The units in which suites print times."""


@dataclass(frozen=True)
class Printed:
    """One number of a suite's line: its name there, its value in the unit printed, and with how many decimals."""

    name: str
    value: float
    unit: str = "us"
    """`us` or `s`; empty for a value that is not a time."""
    decimals: int = 2

    @property
    def text(self) -> str:
        """The number as the suite prints it."""
        return f"{self.value:.{self.decimals}f}"


@dataclass(frozen=True)
class SuiteReport:
    """The line that a suite would have printed."""

    headline: str
    """Name of the number that people take for the latency."""
    numbers: tuple[Printed, ...]

    @property
    def headline_s(self) -> float:
        """The headline in seconds, not rounded as printed."""
        printed = next(number for number in self.numbers if number.name == self.headline)
        return printed.value * SECONDS[printed.unit]


@dataclass(frozen=True)
class Settings:
    """The arguments of a lens, every parameter given."""

    spec: Spec

    def word(self, key: str) -> str:
        """A choice."""
        return str(self.spec.argument(key))

    def number(self, key: str) -> float:
        """A real number."""
        return float(self.word(key))

    def count(self, key: str) -> int:
        """A whole number."""
        return int(self.word(key))


USUAL_CALLS, USUAL_WARMUP = 1000, 20


def usual_calls(_settings: Settings, _size_bytes: int) -> int:
    """The usual choice of suites: the same number of calls for every size."""
    return USUAL_CALLS


@dataclass(frozen=True)
class Lens:
    """One suite, as a member of family lens."""

    name: str
    summary: str
    source: str
    measures: str
    """How the suite measures, in a phrase."""
    reduces: str
    """How it reduces what it measured, in a phrase."""
    method: Callable[[Settings, int], Method]
    """The method that measures as the suite does, with this number of calls."""
    report: Callable[[Settings, SuiteSamples], SuiteReport]
    """From what that method left to the suite's line. Pure."""
    parameters: tuple[Parameter, ...] = ()
    needs_raw: bool = False
    """Whether the report needs every rank's every repetition."""
    calls: Callable[[Settings, int], int] = usual_calls
    """The suite's own number of calls for a block of this number of bytes."""
    warmup: int = USUAL_WARMUP
    """Calls that it makes before those."""


def per_call(procsync: str, calls: int) -> Method:
    """Every call timed by itself, after that synchronisation."""
    return Method(procsync=procsync, repetition=f"fixed({calls})")


def one_loop(procsync: str, calls: int) -> Method:
    """One loop of calls, timed as a whole, after that synchronisation."""
    return Method(procsync=procsync, scheme=f"loop({calls})", repetition="fixed(1)")


def one_loop_of_barriers(calls: int) -> Method:
    """The same with the library's barrier after every call, inside the timing."""
    return Method(procsync=BARRIER, scheme=f"loop-barrier({calls},library)", repetition="fixed(1)")


BARRIER = "barrier(library)"
"""MPI_Barrier, which all suites use that use one."""

MICRO = 1e6
"""Microseconds in a second."""


def over_ranks(measured: SuiteSamples) -> tuple[float, float, float]:
    """Mean, smallest and largest over ranks of each rank's mean, microseconds: the papers' PS7 and t_avg.

    The papers: Hunold and Carpen-Amarie 2016, Table 2; Hunold and Carpen-Amarie 2018 (Harmonize), section 2.
    """
    means = measured.ranks.mean * MICRO
    return float(means.mean()), float(means.min()), float(means.max())
