"""Performance guidelines: rules that a library's own calls set for each other, and whether it keeps them."""
