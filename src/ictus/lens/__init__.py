"""What other suites would have reported of the same operation: one file for each, applied to our own data."""
