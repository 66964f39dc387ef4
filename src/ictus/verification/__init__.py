"""`ictus verify`: every summary computed again from samples, every invariant of a folder checked, without stats/."""
