"""Finds, recognises, launches and proves MPI installations, and builds the core for each."""
