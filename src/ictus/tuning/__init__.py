"""`ictus tune`: remedies for violated guidelines, raced, confirmed in fresh launches, written as files."""
