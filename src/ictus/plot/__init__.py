"""Figures: pure functions from data to SVG text that follows the reader's colour scheme. No files are read or
written.
"""
