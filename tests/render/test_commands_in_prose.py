"""Commands in sentences can be typed as they are printed: by the name of this program, and in one line."""

import pytest

from ictus.render import program
from ictus.render.characters import fold
from ictus.render.program import as_called


def test_a_command_has_the_name_by_which_the_program_was_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a shell does not find `ictus`, it is its path; the second of two commands too, and no other word."""
    text = "ictus says: `ictus run camp && ictus compare camp`, or `make ictus`; see `ictus compare --help`"
    assert as_called(text) == text
    monkeypatch.setattr(program, "program", lambda: ".venv/bin/ictus")
    assert as_called(text) == (
        "ictus says: `.venv/bin/ictus run camp && .venv/bin/ictus compare camp`, or `make ictus`; see "
        "`.venv/bin/ictus compare --help`"
    )


def test_a_command_is_never_broken() -> None:
    """Nor is a number from its percent sign; other words are, where they have no room and may be."""
    lines = fold("At most 5 % of them: `ictus compare camp --reference old` says which.", 20)
    assert lines == ["At most 5 % of them:", "`ictus compare camp --reference old`", "says which."]
    assert fold("of at most 95 % here", 13) == ["of at most", "95 % here"]
    assert fold("a word_of_many_letters", 10, whole_words=False) == ["a word_of_", "many_lette", "rs"]
    assert fold("a word_of_many_letters", 10) == ["a", "word_of_many_letters"]
