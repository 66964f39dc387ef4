"""`ictus clocks frequency`: from ticks to seconds, stated against calibrated."""
