"""`ictus clocks pareto`: what accuracy costs, over a grid of settings."""
