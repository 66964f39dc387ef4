"""`ictus reproduce`: the same experiment again and again, and how far apart its results are."""
