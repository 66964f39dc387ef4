"""`ictus clocks accuracy`: how far global clocks are apart after synchronising."""
