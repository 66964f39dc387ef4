"""`ictus redirect`: profiles of reroutes, and what they gain."""
