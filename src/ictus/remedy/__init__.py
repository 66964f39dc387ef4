"""Remedies for violated guidelines: what may be tried, what wins, how it is written down. Pure: no file, no launch."""
