"""The command line: one thin file a command, wiring what the other packages do."""
