"""Lenses beside the suites themselves: `python -m tools.lens_counterparts`."""
