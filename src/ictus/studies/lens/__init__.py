"""`ictus lens`: what other suites would have reported of the same call."""
