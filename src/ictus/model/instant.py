"""Instants of documents: ISO 8601 with any offset from UTC, compared and shown in UTC."""

from datetime import datetime, timezone


def instant(text: str) -> datetime:
    """The instant, in UTC. A text without an offset, as other suites print, is taken as UTC: so it is the same on every
    machine.

    Raises ValueError for a text that is no time.
    """
    # Python 3.10 does not know the letter Z.
    moment = datetime.fromisoformat(f"{text[:-1]}+00:00" if text.endswith(("Z", "z")) else text)
    return moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment.astimezone(timezone.utc)


def utc(text: str) -> str:
    """`2026-03-01T00:00:00+00:00`: the instant as text in UTC. Such texts sort as their instants do.

    Raises ValueError as `instant`.
    """
    return instant(text).isoformat()
