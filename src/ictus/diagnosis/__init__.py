"""`ictus diagnose`: what the samples of a campaign are like."""
