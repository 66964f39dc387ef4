"""Whether tuning mends guidelines that are broken."""
