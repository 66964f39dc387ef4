"""The study of overlap: `make overlap-study` measures it and writes its part of overlap.md."""
