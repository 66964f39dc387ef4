"""`ictus procsync window`: how long a window has to be."""
