"""`ictus procsync times`: the same samples by local and by global time."""
