"""Frozen data that every other part of Ictus speaks: specs, plans, cases, installations, jobs. No processes."""
