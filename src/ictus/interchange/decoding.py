"""The bytes of a file that somebody else wrote, as text: byte order marks, UTF-16, compressed by gzip."""

import codecs
import gzip
import zlib
from io import BytesIO

from ictus.model.errors import UsageError
from ictus.model.input_file import DOCUMENT_BYTES

_GZIP = b"\x1f\x8b"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MARK = "\ufeff"


def decoded(content: bytes, source: str) -> str:
    """The text. Bytes that are no text become replacement characters, which no number has; byte order marks are left
    out, also those in the middle of a file that was put together of several. UsageError for a damaged archive, and for
    one that is larger than a document can be.
    """
    if content.startswith(_GZIP):
        content = _unpacked(content, source)
    if content.startswith(_UTF16):
        text = content.decode("utf-16", errors="replace")
    elif _every_second_is_nought(content):
        text = content.decode("utf-16-le" if content[1] == 0 else "utf-16-be", errors="replace")
    else:
        text = content.decode("utf-8", errors="replace")
    return text.replace(_MARK, "")


def _unpacked(content: bytes, source: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=BytesIO(content)) as archive:
            unpacked = archive.read(DOCUMENT_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UsageError(f"'{source}' is a damaged gzip file ({error})") from error
    if len(unpacked) > DOCUMENT_BYTES:
        raise UsageError(f"'{source}' has more than {DOCUMENT_BYTES:,} bytes when it is unpacked")
    return unpacked


def _every_second_is_nought(content: bytes) -> bool:
    """UTF-16 of a text in English, without a mark."""
    sample = content[:512]
    return len(sample) > 1 and (sample[0] == 0) != (sample[1] == 0) and sample.count(0) > 0.4 * len(sample)
