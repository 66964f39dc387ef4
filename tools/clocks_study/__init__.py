"""The study of clock synchronisation: `make clocks-study` runs it all and writes clocks-study.md."""
