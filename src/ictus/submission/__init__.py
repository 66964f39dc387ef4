"""Batch systems: a campaign as a job that stops in time and goes on in the next allocation (clusters.md)."""
