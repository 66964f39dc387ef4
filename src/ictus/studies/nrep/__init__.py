"""`ictus nrep`: how many repetitions each case needs."""
