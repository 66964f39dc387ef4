"""The commands of `ictus redirect`, and what `ictus exec --redirect` does."""
