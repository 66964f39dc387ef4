"""`ictus barriers`: what barriers do to a measurement, one file a command."""
