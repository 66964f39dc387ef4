"""The variables that libictus-redirect reads (redirect.md): in force are those of a launch that names a profile."""

PROFILE = "ICTUS_REDIRECT_PROFILE"
"""The file of its rules. Simulated ranks heed it without the library."""
REPORT = "ICTUS_REDIRECT_REPORT"
"""The file of the report that rank 0 writes."""
RANKS = "ICTUS_REDIRECT_RANKS"
"""How many ranks the program was started with."""
