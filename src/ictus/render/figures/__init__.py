"""Figures: pure functions from data to SVG text that follows the colours of the reader. No file, no global state."""
