"""A precision goal against a fixed number of launches and repetitions."""
