"""Races of candidates: one for each operation, library and number of processes, over all violated sizes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ictus.comparison.modes import machine_modes
from ictus.guidelines.verdict import Configuration
from ictus.model.algorithm import DEFAULT, Variant
from ictus.model.errors import IctusError, Interruption, LaunchTimeout
from ictus.model.input_file import file_content
from ictus.model.quantity import format_span
from ictus.model.spec import Spec
from ictus.store.campaign import Campaign
from ictus.tuning.budget import affordable
from ictus.tuning.candidates import Candidate, CandidateField, TuningCell, Way
from ictus.tuning.racing import LOOKS, Launch, Medians, RaceState, race, runners_up, winner, within_modes
from ictus.tuning.session import Calls, CampaignRequest, TuningSession, folder_name, in_full


@dataclass(frozen=True)
class RaceResult:
    """The result of a race for one cell."""

    field: CandidateField
    standing: RaceState
    medians: Medians
    """Medians of all launches of the race, by candidate, less the effect of modes of the machine."""
    folder: str
    ended: str
    """`decided`, `looks` where several were left after the last, `budget`, or `no time` where it did not begin."""
    refused: Mapping[str, str]
    """Variants that cannot serve these calls, with their errors."""

    @property
    def winner(self) -> Candidate | None:
        """None where the original won, or nothing was measured."""
        if self.standing.looks == 0:
            return None
        best = winner(self.standing, self.field.candidates, self.medians)
        return None if best == self.field.original else best

    @property
    def next_best(self) -> tuple[Candidate, ...]:
        """Who else seems to be faster than the original."""
        best = self.winner
        return () if best is None else runners_up(best, self.field.candidates, self.medians)


@dataclass
class _Race:
    """A race under way: one field for each size."""

    fields: Sequence[CandidateField]
    looks: dict[TuningCell, list[Medians]] = field(default_factory=dict)
    """Less the effect of modes of the machine."""
    measured: dict[TuningCell, Medians] = field(default_factory=dict)
    """All launches so far, as measured."""
    campaigns: dict[str, Campaign] = field(default_factory=dict)

    def standing(self, call_field: CandidateField) -> RaceState:
        # A removal is preferred where it is equal: one that is a little slower must still be there at the end.
        removals = [candidate.name for candidate in call_field.candidates if candidate.way is Way.REMOVAL]
        names = [candidate.name for candidate in call_field.candidates]
        return race(names, self.looks.get(call_field.cell, []), spared=removals)

    def alive(self) -> list[tuple[CandidateField, Candidate]]:
        """Who is still to be measured: all that are left in fields that are not decided."""
        open_ones = [(call_field, self.standing(call_field)) for call_field in self.fields]
        return [
            (call_field, candidate)
            for call_field, standing in open_ones
            if not standing.decided
            for candidate in call_field.candidates
            if candidate.name in standing.alive
        ]

    def look(self, campaign: Campaign, name: str) -> None:
        """Add what a campaign measured."""
        medians = medians_of(campaign, name)
        self.campaigns[name] = campaign
        modes = self._modes()
        for call_field in self.fields:
            earlier = self.measured.get(call_field.cell, {})
            self.measured[call_field.cell] = {
                candidate.name: {
                    **earlier.get(candidate.name, {}),
                    **medians.get((candidate.variant, str(in_full(candidate.operation)), candidate.size_bytes), {}),
                }
                for candidate in call_field.candidates
            }
            self.looks.setdefault(call_field.cell, []).append(within_modes(self.measured[call_field.cell], modes))

    def _modes(self) -> dict[Launch, int]:
        """The mode of the machine in each launch of the race."""
        of_launches = machine_modes(*self.campaigns.values()).of_launches
        return {
            (name, launch.slot.slot): mode
            for (name, campaign), campaign_modes in zip(self.campaigns.items(), of_launches, strict=True)
            for launch, mode in zip(campaign.launches, campaign_modes, strict=True)
        }


def run(
    session: TuningSession, number: int, fields: Sequence[CandidateField], share_s: float
) -> tuple[RaceResult, ...]:
    """Race the fields, which are sizes of one operation in one place, in at most `share_s` seconds of launches."""
    configuration, operation = fields[0].cell.place, fields[0].cell.operation
    call = f"{operation} ({configuration.library}, n={configuration.n})"
    folder = f"race/{folder_name(f'{number:02}', str(operation), configuration.library, f'n{configuration.n}')}"
    begun_s = session.spent_s()
    room = room_of(session, folder, fields, share_s)
    if room is None:
        session.note(f"{call}: the budget has no time for a look at a single candidate")
        return tuple(_unraced(call_field, folder) for call_field in fields)
    if room < _most(fields):
        session.note(f"{call}: the budget has time for the first {room - 1} candidates")
        folder, fields = f"{folder}{_FIRST}{room}", [_first(call_field, room) for call_field in fields]
    fields, refused = qualified(session, folder, fields)
    going, ended, slower = _Race(fields), "looks", 1.0
    for look, target in enumerate(LOOKS, 1):
        alive = going.alive()
        if not alive:
            ended = "decided"
            break
        new = target - (LOOKS[look - 2] if look > 1 else 0)
        variants = _variants(session, alive)
        calls = _calls(alive)
        name = f"{folder}/look-{look}"
        launch_s = session.launch_s(sum(map(len, calls.values()))) * slower
        left_s = share_s - (session.spent_s() - begun_s)
        exists = look == 1 or session.is_begun(name)
        if not exists and not affordable(new * len(variants), launch_s, left_s):
            ended = "budget"
            session.note(f"{call}: the budget ends its race before look {look}; "
                f"{new * len(variants)} launches of about {format_span(launch_s)} were next")  # fmt: skip
            break
        what = f"look {look}, {len(alive)} candidates in {len(variants)} variants"
        session.note(f"{operation} ({configuration.library}, n={configuration.n}): {what}")
        going.look(
            session.campaign(name, CampaignRequest(configuration.library, [configuration.n], calls, variants, new)),
            name,
        )
        # launches that others disturb are repeated: then the next look will take as much longer
        expected_s = new * len(variants) * launch_s
        slower *= max(session.spent_s(name) / expected_s, 1.0) if expected_s > 0 else 1.0
    if not going.alive():
        ended = "decided"
    return tuple(
        RaceResult(
            call_field,
            going.standing(call_field),
            (going.looks.get(call_field.cell) or [{}])[-1],
            folder,
            ended,
            refused,
        )
        for call_field in fields
    )


_FIRST = "-first-"
"""The suffix of a race's folder, before their number, where the budget had no time for all candidates."""


def room_of(session: TuningSession, folder: str, fields: Sequence[CandidateField], share_s: float) -> int | None:
    """How many candidates of each field have time for a first look; the call itself and the guideline's right side come
    first. None where fewer than two have. A race that exists is continued, unless there is time for more candidates
    now: with others it would have another winner.
    """
    most = _most(fields)
    if (session.folder / folder).exists():
        return most
    existing = [
        int(path.name.rpartition(_FIRST)[2])
        for path in (session.folder / folder).parent.glob(f"{(session.folder / folder).name}{_FIRST}*")
    ]
    rooms = (
        n
        for n in range(most, 1, -1)
        if affordable(1, beginning_s(session, [_first(call_field, n) for call_field in fields]), share_s)
    )
    return max([next(rooms, 0), *existing]) or None


def _most(fields: Sequence[CandidateField]) -> int:
    return max(len(call_field.candidates) for call_field in fields)


def _first(call_field: CandidateField, room: int) -> CandidateField:
    """The field with its first candidates."""
    kept = call_field.candidates[:room]
    needed = {candidate.variant for candidate in kept}
    variants = {name: offered for name, offered in call_field.variants.items() if name in needed}
    return CandidateField(
        call_field.cell,
        kept,
        variants,
        (*(candidate.name for candidate in call_field.candidates[room:]), *call_field.left_out),
    )


def beginning_s(session: TuningSession, fields: Sequence[CandidateField]) -> float:
    """The time of the first look at all candidates, and of the launch before it that finds those that can serve."""
    everyone = [(call_field, candidate) for call_field in fields for candidate in call_field.candidates]
    variants, calls = _variants(session, everyone), _calls(everyone)
    return (1 + LOOKS[0]) * len(variants) * session.launch_s(sum(map(len, calls.values())))


def _unraced(call_field: CandidateField, folder: str) -> RaceResult:
    names = tuple(candidate.name for candidate in call_field.candidates)
    return RaceResult(call_field, race(names, []), {}, folder, "no time", {})


def qualified(
    session: TuningSession, folder: str, fields: Sequence[CandidateField]
) -> tuple[list[CandidateField], dict[str, str]]:
    """The fields without variants that cannot serve their calls: one launch of each finds out, and is not counted."""
    configuration = fields[0].cell.place
    calls = {(in_full(call_field.cell.operation), call_field.cell.layout): [] for call_field in fields}  # type: dict[tuple[Spec, Spec], list[int]]
    for call_field in fields:
        calls[in_full(call_field.cell.operation), call_field.cell.layout].append(call_field.cell.size_bytes)
    offered = {name: offer.variant for call_field in fields for name, offer in call_field.variants.items()}
    refused: dict[str, str] = {}
    for name, variant in offered.items():
        heat = f"{folder}/heat/{folder_name(name)}"
        note = session.folder / f"{heat}.refused"
        if note.is_file():
            refused[name] = file_content(note).decode("utf-8", "replace")
        else:
            try:
                session.campaign(
                    heat, CampaignRequest(configuration.library, [configuration.n], calls, [variant], 1, retries=0)
                )
            except Interruption:
                raise
            except IctusError as error:
                refused[name] = " ".join(str(error).split("\n")[0].split())
                if not isinstance(error, LaunchTimeout):  # a busy machine may have been the reason: tried again later
                    note.write_text(refused[name], "utf-8")
    return [_without(call_field, refused) for call_field in fields], refused


def _without(call_field: CandidateField, refused: Mapping[str, str]) -> CandidateField:
    kept = tuple(candidate for candidate in call_field.candidates if candidate.variant not in refused)
    return replace(call_field, candidates=kept)


def medians_of(campaign: Campaign, name: str) -> dict[tuple[str, str, int], dict[Launch, float]]:
    """Launch medians by variant, operation and size."""
    cases = {row["case_id"]: (row["operation"], row["size_bytes"]) for row in campaign.cases.iter_rows(named=True)}
    medians: dict[tuple[str, str, int], dict[Launch, float]] = {}
    for variant, case_id, slot, median in campaign.summaries.select(
        "algorithm", "case_id", "slot", "value"
    ).iter_rows():
        if median is not None:
            medians.setdefault((variant, *cases[case_id]), {})[name, slot] = median
    return medians


def races_of(fields: Sequence[CandidateField]) -> list[list[CandidateField]]:
    """The fields by configuration and operation, in the order of their loss."""
    groups: dict[tuple[Configuration, Spec], list[CandidateField]] = {}
    for call_field in fields:
        groups.setdefault((call_field.cell.place, call_field.cell.operation), []).append(call_field)
    return list(groups.values())


def _variants(session: TuningSession, alive: Sequence[tuple[CandidateField, Candidate]]) -> list[Variant]:
    """The needed launches, the unchanged library first."""
    offered: Mapping[str, Variant] = {
        name: variant.variant for field_, _ in alive for name, variant in field_.variants.items()
    }
    needed = dict.fromkeys(candidate.variant for _, candidate in alive)
    base = session.base(alive[0][0].cell.place.library)
    return [*([base] if DEFAULT in needed else []), *(offered[name] for name in needed if name != DEFAULT)]


def _calls(alive: Sequence[tuple[CandidateField, Candidate]]) -> Calls:
    calls: dict[tuple[Spec, Spec], list[int]] = {}
    for call_field, candidate in alive:
        sizes = calls.setdefault((in_full(candidate.operation), call_field.cell.layout), [])
        if candidate.size_bytes not in sizes:
            sizes.append(candidate.size_bytes)
    return {key: sorted(sizes) for key, sizes in calls.items()}
