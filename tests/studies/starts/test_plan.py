"""What the core is asked for by `ictus barriers skew`."""

from types import SimpleNamespace
from typing import Any

import pytest

from ictus.engine.event import ignore
from ictus.studies.core_launches import StudySetup
from ictus.studies.exit_skew.study import STUDY, launches
from ictus.studies.study import values_of

COMMON: Any = SimpleNamespace(processes=(2,), seed=1)
BACKENDS: Any = [SimpleNamespace(platform=None, clocks={}, installation=SimpleNamespace(label="mpich"))]
SETUP = StudySetup(COMMON, BACKENDS, ignore)


@pytest.mark.parametrize(("given", "asked"), [({}, "off"), ({"left-alone": True}, "on")])
def test_clocks_are_left_alone_only_where_it_is_asked(given: dict[str, Any], asked: str) -> None:
    """And the times reach the core as they were given."""
    values = values_of(STUDY, {"waits": "0,5s,120s", **given})
    for one in launches(SETUP, **values).launches:
        assert one.options["left-alone"] == asked
        assert one.options["waits"] == "0s,5s,120s"
