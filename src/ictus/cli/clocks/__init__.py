"""`ictus clocks`: studies of clock synchronisation, one file a command."""
