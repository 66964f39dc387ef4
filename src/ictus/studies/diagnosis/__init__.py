"""What papers claim of the samples of launches."""
