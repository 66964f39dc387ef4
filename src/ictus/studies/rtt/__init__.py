"""`ictus clocks rtt`: round trips of each pair of hosts or ranks, and the offsets that they show."""
