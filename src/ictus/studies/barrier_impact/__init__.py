"""`ictus barriers impact`: what the start of the ranks does to latencies, and to who wins."""
