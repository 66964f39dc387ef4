"""The list of all suites whose results are read or written."""

from ictus.interchange.imb import IMB
from ictus.interchange.nccl import NCCL
from ictus.interchange.osu import OSU
from ictus.interchange.reprompi import REPROMPI
from ictus.interchange.suite import Suite
from ictus.model.unknown import unknown

SUITES = (OSU, IMB, REPROMPI, NCCL)


def find_suite(name: str) -> Suite:
    """The suite of this name; UsageError that lists the known ones."""
    known_suite = next((suite for suite in SUITES if suite.name == name), None)
    if known_suite is None:
        raise unknown(f"suite '{name}'", name, [suite.name for suite in SUITES])
    return known_suite
