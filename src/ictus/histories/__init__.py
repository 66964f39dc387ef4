"""The campaigns of a machine over time: levels, when they changed, and what else changed then."""
