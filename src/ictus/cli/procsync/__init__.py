"""`ictus procsync`: what the start of a repetition does to its result, one file a command."""
