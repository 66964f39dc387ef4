"""`ictus check`: does a library keep the performance guidelines? In three steps, each resumable."""
