"""How tools run `ictus`."""

import pytest
from tools.ictus_command import ictus

from ictus.store.document import version


def test_what_a_command_prints_is_returned_and_a_failure_ends_the_tool() -> None:
    """The tool ends with the words and the code, which no output could be taken for."""
    assert version() in ictus("--version")
    with pytest.raises(SystemExit, match=r"-m ictus list nonsense: exit code 2$"):
        ictus("list", "nonsense")
