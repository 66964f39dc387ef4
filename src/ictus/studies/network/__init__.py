"""`ictus network`: links, effective bisection bandwidth, and the noise of the operating system."""
