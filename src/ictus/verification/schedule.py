"""The schedule computed again from the campaign's seed, and compared with the journal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ictus.verification.plain import Stream, order, shuffle
from ictus.verification.problem import CaseLocation, Problem

_PLACE = CaseLocation(file="schedule.json")

Slots = Sequence[Mapping[str, Any]]


def check_schedule(campaign: Mapping[str, Any], schedule: Mapping[str, Any]) -> Iterator[Problem]:
    """Seeds, order of launches and order of cases; `campaign` and `schedule` are the files as they are."""
    seed = campaign["seed"]
    for location, seed_there in (
        (CaseLocation(file="campaign.json"), campaign["plan"].get("seed")),
        (_PLACE, schedule.get("seed", seed)),
    ):
        if seed_there != seed:
            yield location.wrong("seed", seed_there, f"{seed}, the campaign's")
    slots = schedule["slots"]
    for number, slot in enumerate(slots):
        if slot["slot"] != number:
            yield _PLACE.wrong(f"slots.{number}.slot", slot["slot"], number)
    algorithms = campaign.get("algorithms") or {}
    sides = [
        (library["label"], variant["name"])
        for library in campaign["libraries"]
        for variant in algorithms.get(library["label"]) or [{"name": "default"}]
    ]
    alike: dict[tuple[Any, ...], list[int]] = {}
    for n in campaign["plan"]["n"]:
        for case in campaign["cases"]:
            if case["n"] == n:
                alike.setdefault((n, case["clock"], case["clocksync"]), []).append(case["case_id"])
    every = [(side, kind) for side in sides for kind in alike]
    stream = Stream(seed)
    for block in range(max(slot["block"] for slot in slots) + 1):
        launch_stream = Stream(stream.next())
        planned = []
        for (label, variant), kind in shuffle(launch_stream, every):
            launch_seed = launch_stream.next() >> 11
            planned.append((label, variant, kind[0], launch_seed, alike[kind]))
        yield from _check_block(block, [slot for slot in slots if slot["block"] == block], planned)


def _check_block(block: int, slots: Slots, planned: list[tuple[Any, ...]]) -> Iterator[Problem]:
    """A block has its launches in the order planned; with a precision goal some launches and cases may be done."""
    left = iter(planned)
    for slot in slots:
        side = (slot["mpi"], slot.get("algorithm", "default"), slot["n"], slot["seed"])
        match = next((candidate for candidate in left if candidate[:4] == side), None)
        if match is None:
            yield _PLACE.wrong(
                f"slots.{slot['slot']}", side, f"a launch of block {block} as the seed gives it, in its order"
            )
            return
        kept = [case for case in match[4] if case in slot["cases"]]
        shuffled = [case for case in order(slot["seed"], match[4]) if case in slot["cases"]]
        if slot["cases"] not in (kept, shuffled):
            yield _PLACE.wrong(f"slots.{slot['slot']}.cases", slot["cases"], f"{shuffled}, as the seed gives it")


def check_journal(entries: Sequence[Mapping[str, Any]], schedule: Mapping[str, Any]) -> Iterator[Problem]:
    """Every launch that counts was begun, is in the schedule, and counts once."""
    slots = {slot["slot"] for slot in schedule["slots"]}
    begun, counted = set[int](), dict[str, int]()
    for number, entry in enumerate(entries, start=1):
        location = CaseLocation(file="journal.jsonl", case="")
        if entry["event"] == "launch":
            begun.add(entry["slot"])
        if entry["event"] not in ("accepted", "contended"):
            continue
        slot, name = entry["slot"], entry["folder"]
        if slot not in slots:
            yield location.wrong(f"line {number}.slot", slot, "a slot of schedule.json")
        if slot not in begun:
            yield location.wrong(f"line {number}.slot", f"{slot} is complete", "an event 'launch' of it before")
        if not name.rpartition("/")[2].startswith(f"{slot:04d}-"):
            yield location.wrong(f"line {number}.folder", name, f"a folder of slot {slot:04d}")
        counted[name] = counted.get(name, 0) + 1
