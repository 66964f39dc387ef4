"""`ictus clocks drift`: how local clocks run against that of rank 0."""
