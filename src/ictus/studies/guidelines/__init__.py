"""Whether libraries break performance guidelines."""
