"""Results carried in and out: output of other suites becomes a campaign folder, and the other way."""
