"""The answer stands before its details, in ten lines at most; nothing of it is lost."""

from rich.text import Text

from ictus.render.output import MOST_ANSWER_LINES, answer_first


def plain(sentences: list[str], details: list[str], onward: str | None = None) -> list[str]:
    """The lines, without styles, in 40 columns."""
    found = answer_first(sentences, [Text(line) for line in details], 40, onward=onward)
    return [line.plain for line in found]


def test_what_was_found_comes_first_then_the_next_command() -> None:
    """One empty line between the answer and its details."""
    assert plain(["A is faster."], ["table", "note"], "ictus compare x") == [
        "A is faster.",
        "Next: ictus compare x",
        "",
        "table",
        "note",
    ]
    assert plain([], ["table"]) == ["table"]
    assert plain(["A is faster."], []) == ["A is faster."]


def test_sentences_without_room_follow_behind_the_details_in_their_order() -> None:
    """Two lines each: of six sentences five fit, with a next command four; a later short one does not overtake."""
    two = [f"sentence {number} " + "that needs more than forty columns" for number in range(6)]
    found = plain([*two, "short"], ["table"])
    assert found.index("") == MOST_ANSWER_LINES
    assert found[MOST_ANSWER_LINES + 1 : MOST_ANSWER_LINES + 3] == ["table", ""]
    assert found[-1] == "short"
    with_next = plain([*two, "short"], ["table"], "ictus show x")
    assert with_next.index("Next: ictus show x") == 8
    words = " ".join(line for line in with_next if not line.startswith("Next")).split()
    assert sorted(words) == sorted(" ".join([*two, "table", "short"]).split())
