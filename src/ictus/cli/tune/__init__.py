"""`ictus tune`: remedies for violated guidelines, raced, confirmed in fresh launches, and only then written."""
