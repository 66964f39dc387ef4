"""The figure of one call: a line for each process, and a text for the pointer; of very many processes some."""

from ictus.render.figures.call_timeline import MOST_LINES, CallLine, call_figure


def line(rank: int, came: float) -> CallLine:
    """All leave after a second."""
    return CallLine(rank, came, 0.5, 1.0, f"rank {rank} came")


def test_every_process_has_its_line() -> None:
    """In the order of ranks, times from 0 in one unit; the same twice."""
    lines = [line(rank, 0.1 * rank) for rank in (2, 0, 1, 3)]
    svg = call_figure(lines, "what others say")
    places = [svg.index(f"<title>{one.tip}</title>") for one in sorted(lines, key=lambda one: one.rank)]
    assert places == sorted(places)
    assert ">since the first came, s<" in svg
    assert ">0.8<" in svg
    assert call_figure(lines[::-1], "what others say") == svg


def test_of_very_many_processes_the_first_and_the_last_to_come_are_shown() -> None:
    """Whatever their ranks are."""
    lines = [line(rank, {501: 0.0, 777: 0.4}.get(rank, 0.2)) for rank in range(1000)]
    svg = call_figure(lines, "many")
    assert MOST_LINES - 2 <= svg.count("<title>") <= MOST_LINES
    assert all(f"<title>rank {rank} came</title>" in svg for rank in (0, 501, 777, 999))
