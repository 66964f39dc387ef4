"""A row of the calibration: worlds of one kind, in which the whole `judge` of a claim speaks about drawn data."""

import inspect
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np
from tests.engines import ROOT
from tests.studies.claims.known import study_of

from ictus.stats.binomial_rate import Rate, rate
from ictus.stats.claim_rules import LEVEL, Ruling, Seen

WORLDS = 2000
MORE = 10000
"""So many where the first leave it open, as for 55 of 100 rules that err in just 5 %. Of rules that err in 6 % either
number lets 2 of 100 pass.
"""
WORST = 0.06
"""The upper limit of a rate of errors stays below it."""
POWER = 0.8
"""Of worlds with the effect of the paper a claim holds at least in this share."""
BUILD = ROOT / "build" / "calibration" / "claims"
CHUNK = 100
"""Worlds of one seed: an interrupted row goes on with the next."""

_SHARED = ("noise.py", "drawn_campaign.py")

Draw = Callable[[np.random.Generator], Ruling]


class Kind(str, Enum):
    """What is so in a world."""

    FALSE = "false"
    """The claim is false."""
    LIMIT = "limit"
    """The effect is the least that matters: either answer is wrong in at most 5 %."""
    TRUE = "true"
    """The effect is as large as in the paper."""


@dataclass(frozen=True)
class Counted:
    """How often each answer was given."""

    worlds: int
    holds: int
    does_not_hold: int

    def __add__(self, other: "Counted") -> "Counted":
        """Of both."""
        return Counted(self.worlds + other.worlds, self.holds + other.holds, self.does_not_hold + other.does_not_hold)


@dataclass(frozen=True)
class CalibrationRow:
    """Worlds of one kind, for one claim."""

    claim: str
    world: str
    """What is in it."""
    kind: Kind
    draw: Draw

    @property
    def name(self) -> str:
        """As tests are chosen."""
        return f"{self.claim}: {self.world}"

    def count(self, worlds: int, chunk: int = 0) -> Counted:
        """Of so many worlds of one seed."""
        random = np.random.default_rng([43, zlib.crc32(self.name.encode()), chunk])
        seen = [self.draw(random).seen for _ in range(worlds)]
        return Counted(worlds, seen.count(Seen.HOLDS), seen.count(Seen.DOES_NOT_HOLD))

    def drawn(self, worlds: int = WORLDS) -> Counted:
        """Of so many worlds; what the same code has drawn before an interruption is not drawn again."""
        path = BUILD / f"{zlib.crc32(self.name.encode()):08x}.json"
        kept = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        chunks = kept["chunks"] if kept.get("code") == self._code() else []
        for chunk in range(len(chunks), worlds // CHUNK):
            found = self.count(CHUNK, chunk)
            chunks.append([found.holds, found.does_not_hold])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"row": self.name, "code": self._code(), "chunks": chunks}), "utf-8")
        used = chunks[: worlds // CHUNK]
        return Counted(len(used) * CHUNK, sum(one for one, _ in used), sum(one for _, one in used))

    def decided(self) -> Counted:
        """Of as many worlds as it takes to say whether the promises are kept."""
        found = self.drawn(WORLDS)
        return found if self.keeps(found) else self.drawn(MORE)

    def _code(self) -> str:
        """Of the rules, the study and these worlds."""
        folder = ROOT / "src" / "ictus" / "studies" / study_of(self.claim).name
        rules = ROOT / "src" / "ictus" / "stats" / "claim_rules.py"
        own = Path(inspect.getfile(getattr(self.draw, "func", self.draw)))
        files = [rules, *sorted(folder.glob("*.py")), own, *(own.parent / name for name in _SHARED)]
        return sha256(b"".join(one.read_bytes() for one in files)).hexdigest()

    def rates(self, found: Counted) -> tuple[Rate, ...]:
        """What was found against what is promised."""
        holds = rate(found.holds, found.worlds, "at most", LEVEL)
        does_not = rate(found.does_not_hold, found.worlds, "at most", LEVEL)
        power = rate(found.holds, found.worlds, "at least", POWER)
        return {Kind.FALSE: (holds,), Kind.LIMIT: (holds, does_not), Kind.TRUE: (power, does_not)}[self.kind]

    def keeps(self, found: Counted) -> bool:
        """Whether every promise is kept: by a test of the rate, and of as many worlds as promised by its limit too."""
        rates = self.rates(found)
        errors = [one for one in rates if one.side == "at most" and found.worlds >= WORLDS]
        return all(one.holds for one in rates) and all(one.high < WORST for one in errors)


def rows_of(
    claim: str, draw: Callable[..., Ruling], name: str, *worlds: tuple[str, Kind, float]
) -> Iterator[CalibrationRow]:
    """Worlds of a claim that differ in one number, which `draw` takes by that name."""
    for world, kind, number in worlds:
        yield CalibrationRow(claim, world, kind, partial(draw, **{name: number}))
