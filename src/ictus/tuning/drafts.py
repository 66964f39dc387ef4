"""Remedies as files that a library reads, with the variables that select them. The flavours know the formats.

Drafts are written before anything is recommended, so that the confirming launches have them in force. If a draft ends a
launch, one launch of each draft alone finds the culprit, and the others continue without it.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from ictus.engine.forced import ForcedVariable, hindering
from ictus.guidelines.measured import GuidelineMedians
from ictus.model import redirect_variables
from ictus.model.algorithm import Variant
from ictus.model.document import Document
from ictus.model.environment import UNSET
from ictus.model.errors import IctusError, Interruption, LaunchTimeout, UsageError
from ictus.mpi.flavours import FLAVOURS
from ictus.mpi.flavours.mpich_tuning import Tree
from ictus.mpi.tuning_files import FOLDER, AlgorithmRange, TuningFiles, joined, key, one_each
from ictus.programs.redirect.profile import PluginLine, RedirectProfile, format_profile
from ictus.store.document import write_document
from ictus.store.durable import write_atomically
from ictus.tuning.candidates import CandidateField, TuningVariant, Way
from ictus.tuning.outcome import REMEDIED, Remedy
from ictus.tuning.reroutes import moved_bytes, redirectable, reroutes_of
from ictus.tuning.session import CampaignRequest, TuningSession, over
from ictus.tuning.side_effects import holds_for_the_program


def write(
    flavour: str,
    ranges: Sequence[AlgorithmRange],
    variables: Mapping[str, str],
    tree: Tree | None = None,
    removed: Iterable[str] = (),
) -> TuningFiles:
    """The files for a library of this flavour. `variables` are further confirmed settings; `removed` are variables of
    the user without which alone the library takes what the files say.
    """
    format_of = {kind.name: kind.tuning_files for kind in FLAVOURS}.get(flavour, _simulated)
    written = format_of(sorted(ranges, key=key), tree) if ranges else TuningFiles()
    environment = {**dict.fromkeys(removed, UNSET), **written.environment, **variables}
    assigned = {name: value for name, value in sorted(environment.items()) if value != UNSET}
    files = dict(written.files)
    if assigned:
        files[VARIABLES] = "".join(f"{name}={value}\n" for name, value in assigned.items())
    if len(assigned) < len(environment):
        files[SCRIPT] = _script(sorted(environment.keys() - assigned.keys()), assigned)
    return replace(written, files=files, environment=environment)


VARIABLES = "remedy.env"
SCRIPT = "remedy.sh"
"""Written where variables are to be removed, which a list of values cannot say."""


def _script(removed: Sequence[str], assigned: Mapping[str, str]) -> str:
    lines = ["# Run `. ./remedy.sh` in the shell that launches the program."]
    lines += [f"unset {name}" for name in removed]
    lines += [f"export {name}={shlex.quote(value)}" for name, value in assigned.items()]
    return "\n".join(lines) + "\n"


def _simulated(ranges: Sequence[AlgorithmRange], tree: Tree | None = None) -> TuningFiles:  # noqa: ARG001
    """The file that the simulated launcher's libraries read."""
    taken, left_out = one_each(ranges)
    variables = {f"SIMULATED_{name.upper()}": chosen for name, chosen in taken.items()}
    return TuningFiles({}, variables, unsized=tuple(taken), left_out=left_out)


PROFILE = "redirect.profile"


@dataclass(frozen=True)
class TuningLibrary:
    """The facts about a library that its remedies need."""

    label: str
    flavour: str
    version: str
    """Its version."""
    tree: Mapping[str, Any] | None
    """MPICH's own choices."""
    measured: GuidelineMedians
    """Medians of the check: they show which sizes are neighbours."""
    base: Variant = field(default_factory=Variant)
    """How it was launched in the check."""
    forced: tuple[ForcedVariable, ...] = ()
    """The user's variables that selected its algorithms there."""
    preload: str | None = None
    """LD_PRELOAD with the redirect library first; None where no library can be loaded before its ranks."""
    plugins: Mapping[str, PluginLine] = field(default_factory=dict)
    """By name of the operation: what a profile says of the plug-in, compiled for this library."""

    def in_force(self, remedy: Remedy) -> bool:
        """Whether files can put it in force; else the program's author has to make another call."""
        way = remedy.candidate.way
        if way is Way.MOCKUP:
            return self.preload is not None and redirectable(remedy)
        return way not in (Way.SPLITTING, Way.PADDING)


@dataclass(frozen=True)
class RemedySet:
    """Remedies that are in force together."""

    name: str
    """The name of its folder in drafts, and of the campaigns that have it in force."""
    remedies: tuple[Remedy, ...]
    offers: Mapping[str, TuningVariant]

    def written(self, library: TuningLibrary) -> TuningFiles:
        """Its files."""
        return drafted(library, self.remedies, self.offers)

    def variant(self, session: TuningSession, library: TuningLibrary) -> Variant:
        """How the library is launched with it in force; its files are put where the launches find them."""
        folder, written = session.folder / "drafts" / self.name, self.written(library)
        save(folder, written)
        return over(session.base(library.label), REMEDIED, written.setting(str(folder.absolute())))


def drafted(library: TuningLibrary, remedies: Iterable[Remedy], offers: Mapping[str, TuningVariant]) -> TuningFiles:
    """The files of these remedies, and the variables that put them in force. Of what contradicts each other the last
    is taken: `agreeing` finds out.
    """
    remedies = [remedy for remedy in remedies if library.in_force(remedy)]
    choices, variables, words = [], dict[str, str](), tuple[str, ...]()
    removed, read_proofs = dict[str, None](), dict[str, str]()
    sizes: dict[tuple[str, int], list[int]] = {}
    for remedy in remedies:
        cell, offered = remedy.cell, offers.get(remedy.candidate.variant)
        if offered is None or remedy.candidate.way is Way.MOCKUP:
            continue
        if offered.algorithm is not None:
            sizes_there = library.measured.sizes(cell.place, cell.operation, cell.layout)
            sizes[str(cell.operation), cell.place.n] = [series.moved_bytes for series in sizes_there]
            choices.append(_choice(library, remedy, offered))
            hindering_ones = hindering(library.flavour, cell.operation.name, library.forced)
            removed |= dict.fromkeys(each.name for each in hindering_ones)
        else:
            files = own_setting(library, offered)
            variables, words = {**variables, **files.environment}, files.options or words
            read_proofs |= files.read_proofs
    written = write(library.flavour, joined(choices, sizes), variables, library.tree, removed)
    written = replace(written, options=(*written.options, *words), read_proofs={**read_proofs, **written.read_proofs})
    reroutes = reroutes_of(remedies, library.measured)
    if not reroutes:
        return written
    called = dict.fromkeys(reroute.mockup.partition("(")[0] for reroute in reroutes)
    plugins = tuple(library.plugins[name] for name in called if name in library.plugins)
    redirected = {
        "LD_PRELOAD": library.preload or "",
        redirect_variables.PROFILE: f"{FOLDER}/{PROFILE}",
        **redirect_variables.plugins(list(dict.fromkeys(Path(plugin.path) for plugin in plugins))),
    }
    return replace(
        written,
        files={**written.files, PROFILE: format_profile(RedirectProfile(library.version, reroutes, plugins))},
        environment={**written.environment, **redirected},
    )


def _choice(library: TuningLibrary, remedy: Remedy, offered: TuningVariant) -> AlgorithmRange:
    cell = remedy.cell
    series = library.measured.at(cell.place, cell.operation, cell.layout, cell.size_bytes)
    moved = moved_bytes(cell, library.measured)
    block = moved // cell.place.n if series is not None and series.step_bytes > 1 else moved
    assert offered.algorithm is not None
    return AlgorithmRange(
        str(cell.operation), cell.place.n, moved, moved, block, block, offered.algorithm, offered.segment_bytes
    )


def own_setting(library: TuningLibrary, offered: TuningVariant) -> TuningFiles:
    """The part of an offer's setting that differs from the library's present one."""
    base, setting = library.base.setting, offered.variant.setting
    environment = {name: value for name, value in setting.environment.items() if base.environment.get(name) != value}
    read_proofs = {name: value for name, value in setting.expected.items() if base.expected.get(name) != value}
    return TuningFiles({}, environment, setting.options[len(base.options) :], read_proofs=read_proofs)


def agreeing(
    library: TuningLibrary,
    remedies: Sequence[Remedy],
    offers: Mapping[str, TuningVariant],
    fields: Sequence[CandidateField],
) -> tuple[list[Remedy], list[Remedy]]:
    """The remedies that files can hold together, and those that contradict one of them which mends more. Where the
    library takes one choice for all, a call tries the one that is there, if it is a candidate of its own.
    """
    kept: list[Remedy] = []
    contradicting: list[Remedy] = []
    by_loss = sorted(
        remedies, key=lambda remedy: -max((verdict.loss_s or 0.0 for verdict in remedy.violated), default=0.0)
    )
    for remedy in by_loss:
        taken = {kept_remedy.candidate.variant for kept_remedy in kept}
        race = next((each for each in fields if each.cell == remedy.cell), None)
        rivals = () if race is None else race.candidates
        others = (each for each in rivals if each.variant in taken and each.variant in offers)
        tries = [remedy, *(Remedy(remedy.cell, each, remedy.violated) for each in others)]
        agreed = next((each for each in tries if hold_together(library, [*kept, each], offers)), None)
        if agreed is None:
            contradicting.append(remedy)
        else:
            kept.append(agreed)
    return kept, contradicting


def hold_together(library: TuningLibrary, remedies: Sequence[Remedy], offers: Mapping[str, TuningVariant]) -> bool:
    """Whether the draft says what each of them wants."""
    others = [remedy for remedy in remedies if not holds_for_the_program(remedy)]
    try:
        written, bare = drafted(library, remedies, offers), drafted(library, others, offers)
    except UsageError:  # two mock-ups for one line of a profile
        return False
    forced = [each.candidate.variant for each in remedies if holds_for_the_program(each)]
    settings = [own_setting(library, offers[variant]) for variant in forced]
    return not written.left_out and all(_has(written, files) and not _undoes(files, bare) for files in settings)


def _undoes(files: TuningFiles, bare: TuningFiles) -> bool:
    """Whether a setting replaces a variable by which files select an algorithm: then the library no longer takes it,
    unless the control variables are the same with it.
    """
    if not files.environment.keys() & bare.environment.keys():
        return False
    proofs = files.read_proofs
    return not proofs or any(bare.read_proofs.get(name) != value for name, value in proofs.items())


def _has(written: TuningFiles, files: TuningFiles) -> bool:
    same = all(written.environment.get(name) == value for name, value in files.environment.items())
    return same and (not files.options or written.options[-len(files.options) :] == files.options)


def save(folder: Path, written: TuningFiles, named: Path | None = None) -> None:
    """Write the files. Those that name the folder they are in name `named`, where they will be."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in written.files.items():
        write_atomically(folder / name, text.replace(FOLDER, str((named or folder).absolute())).encode())


Refusals = Mapping[int, str]
"""By number of the remedy in its draft: what a launch ended with."""


class RefusalNote(Document):
    """confirm/NAME.refused: remedies of a draft with which launches ended."""

    FILE: ClassVar = "NAME.refused"

    refused: dict[int, str]


def known_refusals(session: TuningSession, draft: RemedySet) -> Refusals:
    """The refusals found before; empty if no launch failed."""
    note = _note(session, draft)
    return RefusalNote.read(note).refused if note.is_file() else {}


def find_refusals(
    session: TuningSession, library: TuningLibrary, draft: RemedySet, request: CampaignRequest, error: IctusError
) -> Refusals:
    """Which remedies end a launch, where one with all of them in force ended with `error`. None alone: then all."""
    reasons: dict[int, str] = {}
    lasting: dict[int, str] = {}
    for number, remedy in enumerate(draft.remedies):
        if not library.in_force(remedy):
            continue
        remedy_set = replace(draft, name=f"{draft.name}-alone-{number}", remedies=(remedy,))
        alone = replace(request, variants=[remedy_set.variant(session, library)], launches=1, retries=0)
        try:
            session.campaign(f"confirm/{remedy_set.name}", alone)
        except Interruption:
            raise
        except IctusError as refusal:
            reasons[number] = _reason(refusal)
            if not isinstance(refusal, LaunchTimeout):  # a busy machine may have been the reason: tried again later
                lasting[number] = reasons[number]
    if not reasons:
        reasons = {number: _reason(error) for number, remedy in enumerate(draft.remedies) if library.in_force(remedy)}
        lasting = {} if isinstance(error, LaunchTimeout) else reasons
    if not reasons:
        raise error  # a launch of the library as it is failed
    if lasting:
        write_document(_note(session, draft), RefusalNote(refused=lasting))
    return reasons


def _note(session: TuningSession, draft: RemedySet) -> Path:
    return session.folder / "confirm" / f"{draft.name}.refused"


def _reason(error: IctusError) -> str:
    return " ".join(str(error).split("\n")[0].split())
