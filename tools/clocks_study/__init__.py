"""The study of clock synchronisation: `make clocks-study` runs it all and writes docs/clocks-study.md."""
