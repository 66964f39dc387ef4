"""The study of start skew: `make start-skew` measures it all and writes start-skew.md."""
