"""`ictus exec`: what cannot be is refused by its option before a library is looked for, built or launched."""

from pathlib import Path

import pytest
from tests.command_line import Ictus

from ictus.model.registries import Registries
from ictus.programs.exec import check_start


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--procsync", "window"), "--procsync 'window': size=auto follows the latency of the case"),
        (("--procsync", "arrival(start=window)"), "give a size, such as window(size=100us)"),
        (("--procsync", "arrival(start=round-time)"), "--procsync 'round-time': it cannot replace a barrier"),
        (("--procsync", "window-adaptive"), "--procsync 'window-adaptive': it cannot replace a barrier"),
        (("--log", "file/log"), "--log 'file/log': it cannot be created: Not a directory"),
    ],
)
def test_what_cannot_take_the_place_of_a_barrier(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """Exit code 2, one line, and no variable that nobody set."""
    Path("file").write_text("")
    answer = ictus("exec", *words, "--", "/bin/true")
    assert answer.code == 2
    assert said in answer.err
    assert "ICTUS_" not in answer.err


@pytest.mark.parametrize("text", ["none", "harmonize", "barrier(binomial)", "window(size=50us)"])
def test_what_can_is_let_through(text: str) -> None:
    """A size that is given is no obstacle, nor is `auto` of anything else."""
    check_start(Registries.load().check("procsync", text))
