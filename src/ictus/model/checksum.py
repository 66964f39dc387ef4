"""Checksums: XXH3 of 64 bits. It finds flipped bits, torn files and swapped files at the speed of memory, and does not
detect forgery.
"""

from xxhash import xxh3_64

PREFIX = "xxh3:"
LENGTH = len(PREFIX) + 16
"""Of a checksum's text."""


class FileHash:
    """The checksum of a file that is read chunk by chunk."""

    def __init__(self) -> None:
        self._hash = xxh3_64()

    def update(self, chunk: bytes | memoryview) -> None:
        """The next bytes of the file."""
        self._hash.update(chunk)

    @property
    def text(self) -> str:
        """As journals and documents have it."""
        return f"{PREFIX}{self._hash.hexdigest()}"


def checksum(content: bytes) -> str:
    """The checksum of a whole content."""
    return f"{PREFIX}{xxh3_64(content).hexdigest()}"
