"""Remedies whose files end a launch: one launch of each alone finds out which, so that the others go on without it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ictus.model.errors import IctusError, StoppedByUser
from ictus.tuning.drafts import Draft, Library
from ictus.tuning.session import Wanted, Workshop

Refusals = Mapping[int, str]
"""By number of the remedy in its draft: what a launch ended with."""


def known_refusals(workshop: Workshop, draft: Draft) -> Refusals:
    """What was found out before; nothing where no launch failed."""
    note = _note(workshop, draft)
    return {int(key): str(text) for key, text in json.loads(note.read_text("utf-8")).items()} if note.is_file() else {}


def find_refusals(workshop: Workshop, library: Library, draft: Draft, wanted: Wanted, error: IctusError) -> Refusals:
    """Which remedies end a launch, where one with all of them in force ended with `error`. None alone: then all."""
    found: dict[int, str] = {}
    for number, one in enumerate(draft.remedies):
        if not library.in_force(one):
            continue
        own = replace(draft, name=f"{draft.name}-alone-{number}", remedies=(one,))
        alone = replace(wanted, variants=[own.variant(workshop, library)], launches=1, retries=0)
        try:
            workshop.campaign(f"confirm/{own.name}", alone)
        except StoppedByUser:
            raise
        except IctusError as refusal:
            found[number] = _said(refusal)
    found = found or {number: _said(error) for number, one in enumerate(draft.remedies) if library.in_force(one)}
    if not found:
        raise error  # a launch of the library as it is failed
    _note(workshop, draft).write_text(json.dumps(found), "utf-8")
    return found


def _note(workshop: Workshop, draft: Draft) -> Path:
    return workshop.folder / "confirm" / f"{draft.name}.refused"


def _said(error: IctusError) -> str:
    return " ".join(str(error).split("\n")[0].split())
