"""The time of a machine that launches cover, from the first to the last: verdicts hold for it and say nothing of the
time before and after.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from ictus.comparison.times import began
from ictus.model.quantity import format_span
from ictus.store.campaign import Campaign

_WITH_SECONDS_S = 600.0
"""Times of a shorter span are said to the second."""


@dataclass(frozen=True)
class MeasuredSpan:
    """From the begin of the first launch to the end of the last."""

    begin: datetime
    end: datetime
    n_campaigns: int

    @property
    def seconds(self) -> float:
        """Its length."""
        return (self.end - self.begin).total_seconds()

    @property
    def text(self) -> str:
        """`2.05 h from 2026-11-28 10:00 UTC to 12:03 UTC`, and how many campaigns share it."""
        clock = "%H:%M:%S" if self.seconds < _WITH_SECONDS_S else "%H:%M"
        first, last = (instant.strftime(f"%Y-%m-%d {clock}") for instant in (self.begin, self.end))
        to = last.removeprefix(f"{self.begin:%Y-%m-%d} ")
        between = f"at {first} UTC" if first == last else f"from {first} UTC to {to} UTC"
        within = f", in which {self.n_campaigns} campaigns were measured" if self.n_campaigns > 1 else ""
        return f"{format_span(self.seconds)} {between}{within}"

    def as_object(self) -> dict[str, Any]:
        """For scripts: seconds, and ISO 8601 times."""
        begin, end = (instant.isoformat(timespec="milliseconds") for instant in (self.begin, self.end))
        return {"span_s": round(self.seconds, 3), "span_begin": begin, "span_end": end}


NO_SPAN: dict[str, Any] = {"span_s": None, "span_begin": None, "span_end": None}


def span_of(campaigns: Sequence[Campaign]) -> MeasuredSpan | None:
    """The span of all launches that were loaded; None where another program wrote them and did not say when."""
    launches = [launch for campaign in campaigns for launch in campaign.launches]
    begins = [(at, launch) for launch in launches if (at := began(launch)) is not None]
    if not begins or len(begins) < len(launches) or any(campaign.imported is not None for campaign in campaigns):
        return None
    end = max(at + timedelta(seconds=launch.elapsed_s or 0.0) for at, launch in begins)
    return MeasuredSpan(min(at for at, _ in begins), end, len(campaigns))


def span_row(span: MeasuredSpan | None) -> dict[str, Any]:
    """The span for scripts; nulls where it is not known."""
    return NO_SPAN if span is None else span.as_object()
