"""The list of lenses, and the text that selects one: `osu`, `skampi(window)`, `mpibench(factor=3)`."""

from dataclasses import dataclass

from ictus.model.plan_parts import Method
from ictus.model.registries import Family, Member, Registries
from ictus.model.spec import Spec
from ictus.studies.lens.suites.imb import IMB
from ictus.studies.lens.suites.imb_loop import IMB_LOOP
from ictus.studies.lens.suites.lens import Lens, Settings, SuiteReport
from ictus.studies.lens.suites.measured import SuiteSamples
from ictus.studies.lens.suites.mpbench import MPBENCH
from ictus.studies.lens.suites.mpibench import MPIBENCH
from ictus.studies.lens.suites.mpibench_llnl import MPIBENCH_LLNL
from ictus.studies.lens.suites.mpiblib import MPIBLIB
from ictus.studies.lens.suites.mpicroscope import MPICROSCOPE
from ictus.studies.lens.suites.mpptest import MPPTEST
from ictus.studies.lens.suites.nbcbench import NBCBENCH
from ictus.studies.lens.suites.osu import OSU
from ictus.studies.lens.suites.phloem import PHLOEM
from ictus.studies.lens.suites.skampi import SKAMPI

LENSES: tuple[Lens, ...] = (
    OSU,
    IMB,
    IMB_LOOP,
    MPPTEST,
    MPBENCH,
    PHLOEM,
    MPIBENCH_LLNL,
    SKAMPI,
    NBCBENCH,
    MPIBENCH,
    MPIBLIB,
    MPICROSCOPE,
)

ALL = (
    "osu",
    "imb",
    "imb-loop",
    "mpptest",
    "mpbench",
    "phloem",
    "phloem(barrier)",
    "mpibench-llnl",
    "mpibench-llnl(pipelined)",
    "skampi",
    "skampi(window)",
    "nbcbench",
    "mpibench",
    "mpiblib",
    "mpiblib(root)",
    "mpicroscope",
)
"""The default lenses: every suite, and the second method of those that have two."""

FAMILY = Family(
    "lens",
    "what other suites would have reported",
    tuple(Member(lens.name, lens.summary, lens.source, lens.parameters) for lens in LENSES),
)

_REGISTRIES = Registries({FAMILY.name: FAMILY}, {}, ())


@dataclass(frozen=True)
class Look:
    """A lens with its settings."""

    lens: Lens
    spec: Spec
    """In full form."""

    @property
    def label(self) -> str:
        """As short as can be: `skampi(window)`, `mpibench(factor=3)`."""
        return _REGISTRIES.short(FAMILY.name, self.spec)

    def method(self, calls: int) -> Method:
        """The method whose data it needs, with this number of calls."""
        return self.lens.method(Settings(self.spec), calls)

    def calls(self, size_bytes: int) -> int:
        """The suite's own number of calls for a block of this number of bytes."""
        return self.lens.calls(Settings(self.spec), size_bytes)

    def report(self, measured: SuiteSamples) -> SuiteReport:
        """The report that the suite would have printed. ValueError where it needs raw data and there is none."""
        return self.lens.report(Settings(self.spec), measured)


def find_look(text: str) -> Look:
    """The lens with this name; UsageError with the known or allowed ones."""
    spec = _REGISTRIES.check(FAMILY.name, text)
    return Look(next(lens for lens in LENSES if lens.name == spec.name), spec)
