"""The study of start skew: `make start-skew` measures it all and writes docs/start-skew.md."""
