"""`ictus communicators`: what making communicators costs."""
