"""`ictus check`: does a library keep the performance guidelines? In three steps, each of which can be resumed."""
