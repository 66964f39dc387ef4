"""One file a suite: how it measures an operation and what it reports, applied to the same samples."""
