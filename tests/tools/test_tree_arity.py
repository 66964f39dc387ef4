"""The study of the arity of `ictus`' tree: what clocks-study.md says follows from docs/data/tree-arity.csv."""

from tools.tree_arity.__main__ import CSV, PAGE, as_csv, read, row_of, world
from tools.tree_arity.section import MARKS, Row, excess, section

ROWS = read(CSV)


def test_the_section_is_that_of_the_rows() -> None:
    """Whoever changes one of them runs `make tree-arity`."""
    text = PAGE.read_text("utf-8")
    assert MARKS.replaced(text, section(ROWS)) == text
    assert as_csv(ROWS) == CSV.read_text("utf-8")


def test_the_default_is_near_the_best_of_the_arities_tried_and_no_bound_broke() -> None:
    """In all worlds of the study, over at least two networks."""
    found = excess(ROWS)
    assert len(found) >= 4
    assert max(found.values()) < 1.1
    assert [row for row in ROWS if row.violated] == []


def test_levels_are_those_of_the_least_full_tree_with_room_for_all() -> None:
    """1 + 2 + 4 + 8 = 15 hosts have three levels, 16 have four; a star has one."""
    levels = [
        Row(hosts, 1, 1e-6, "2", arity, 1.0, 1.0, 1.0, 1, 0).levels for hosts, arity in ((15, 2), (16, 2), (16, 15))
    ]
    assert levels == [3, 4, 1]


def test_arities_that_starve_their_edges_are_no_measure_of_the_default() -> None:
    """Half the bound with two exchanges an edge and sweep; where all have so few, it counts."""
    rich, poor = 2 * 3 * 200 * 12, 2 * 3 * 200 * 2
    own = Row(4, 1, 1e-6, "auto", 2, 2e-6, 0.1, 1e-9, rich, 0)
    assert list(excess([Row(4, 1, 1e-6, "3", 3, 1e-6, 0.1, 1e-9, poor, 0), own]).values()) == [1.0]
    assert list(excess([Row(4, 1, 1e-6, "3", 3, 1e-6, 0.1, 1e-9, rich, 0), own]).values()) == [2.0]
    few = own._replace(messages=poor)
    assert list(excess([Row(4, 1, 1e-6, "3", 3, 1e-6, 0.1, 1e-9, poor, 0), few]).values()) == [2.0]


def test_a_default_far_from_the_best_is_told() -> None:
    """Its product is twice the other's."""
    rows = [Row(4, 1, 1e-6, asked, 2, bound, 0.1, 1e-9, 1, 0) for asked, bound in (("2", 1e-6), ("auto", 2e-6))]
    assert list(excess(rows).values()) == [2.0]
    assert "at most 100 % above" in section(rows)


def test_a_row_has_the_bound_at_once_the_error_later_and_all_violations() -> None:
    """Of what ictus-simulate says of 0, 1, 5 and 20 s."""
    waits = [{"bound_s": 1e-6 * (i + 1), "max_s": 1e-9 * (i + 1), "violated": i} for i in range(4)]
    result = {"waits": waits, "elapsed_s": 0.1, "arity": 3, "messages": 7}
    assert row_of(8, 2, 1e-6, "auto", result) == Row(8, 2, 1e-6, "auto", 3, 1e-6, 0.1, 3e-9, 7, 6)
    assert world(8, 2, 1e-6).startswith("world(size=16,")
    assert "one_clock=on" in world(8, 2, 1e-6)
