"""No page names a command or an option that does not exist: every command line is parsed by the real parser."""

from pathlib import Path

import pytest
from tests.docs.pages import PAGES, calls, inline_commands, refusal, shown_commands


def wrong(text: str) -> list[str]:
    """Command lines of a page that are refused, with the reason. In a sentence a value may be a placeholder."""
    shown = [(line, refusal(line)) for line in shown_commands(text)]
    inline = [(line, refusal(line)) for line in inline_commands(text)]
    unknown = [one for one in inline if isinstance(one[1], LookupError) or str(one[1]).startswith("no option ")]
    return [f"{line}: {error}" for line, error in (*shown, *unknown) if error is not None]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_line_is_understood(page: Path) -> None:
    """In blocks with all its words, in sentences with its commands and options."""
    assert wrong(page.read_text("utf-8")) == []


def test_what_does_not_exist_is_found() -> None:
    """Wherever a page can have it."""
    text = (
        "    ictus compare first --gait x\n\n```sh\nsalloc -N2 ictus dctor && ictus list\n```\n\n"
        "See `ictus run --no-such 1` and `ictus run --launches N`.\n"
    )
    assert [line.split(":")[0] for line in wrong(text)] == [
        "salloc -N2 ictus dctor && ictus list",
        "ictus compare first --gait x",
        "ictus run --no-such 1",
    ]
    assert list(calls("A=1 ictus run -n 2 --op 'a b' > x | ictus list; cd ictus")) == [
        ["run", "-n", "2", "--op", "a b"],
        ["list"],
        [],
    ]
