"""How a sentence names cases."""

from ictus.comparison.case_titles import case_title, first_ones


def test_a_case_is_named_with_its_library_where_it_has_one() -> None:
    """And without what is compared."""
    case = {"operation": "bcast", "size_bytes": 512, "n": 2}
    assert case_title(case) == "MPI_Bcast 512 B n=2"
    assert case_title({"mpi": "mpich", **case}) == "mpich MPI_Bcast 512 B n=2"
    assert case_title({"operation": "bcast", "size_bytes": 512}) == "MPI_Bcast 512 B"


def test_of_many_names_the_first_ones_are_told_and_how_many_more() -> None:
    """Each once."""
    assert first_ones("abba") == "a, b"
    assert first_ones("abcb") == "a, b, c"
    assert first_ones("abcde") == "a, b, c and 2 more"
    assert first_ones("abc", 1) == "a and 2 more"
