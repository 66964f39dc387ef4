"""The campaign folder: writes it, checks each launch on arrival, and loads it."""
