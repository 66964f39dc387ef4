"""The MPI installations of this machine: found, labelled, chosen by name or path."""

from dataclasses import dataclass, replace
from pathlib import Path

from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.mpi.candidates import Surroundings, candidates, save_added
from ictus.mpi.flavours import FLAVOURS
from ictus.mpi.recognition import Unusable, WrapperCandidate, real_wrapper, recognise


@dataclass(frozen=True)
class Survey:
    """All that was seen on this machine."""

    installations: tuple[Installation, ...]
    """Labels are unique."""
    unusable: tuple[Unusable, ...] = ()


def survey(surroundings: Surroundings | None = None) -> Survey:
    """Look everywhere. The first installation of a flavour is labelled with its name, further ones add their origin.

    The same wrapper is listed once, however many ways lead to it.

    Raises:
        UsageError: the file of added installations cannot be read.
    """
    here = surroundings or Surroundings()
    seen: set[Path] = set()
    found: list[Installation] = []
    unusable: list[Unusable] = []
    for candidate in candidates(here):
        wrapper = real_wrapper(candidate.wrapper)
        if wrapper in seen and candidate.label is None:
            continue
        seen.add(wrapper)
        result = recognise(candidate, here.environ)
        if isinstance(result, Unusable):
            unusable.append(result)
        elif candidate.label is not None or not _known(result, found):
            found.append(result if candidate.label else replace(result, label=_label(result, found)))
    return Survey(tuple(found), tuple(unusable))


def discover(surroundings: Surroundings | None = None) -> tuple[Installation, ...]:
    """The usable installations of `survey`, in the order in which a bare name chooses."""
    return survey(surroundings).installations


def find(which: str, label: str | None = None, surroundings: Surroundings | None = None) -> Installation:
    """The installation that `which` names: a label of `discover`, a flavour, or the path of a wrapper or launcher.

    It carries `label` where one is given, so that one installation can take part under two names (A/A).

    Raises:
        UsageError: nothing fits; the message lists what was found.
    """
    here = surroundings or Surroundings()
    installation = _at_path(Path(which), here) if "/" in which else _named(which, here)
    return installation if label is None else replace(installation, label=label)


def add(label: str, wrapper: Path, surroundings: Surroundings | None = None) -> Installation:
    """Check that `wrapper` belongs to an installation that can be used, and remember it as `label`.

    Raises:
        UsageError: it does not, or the label cannot be one; the message says why.
    """
    installation = replace(_at_path(wrapper.expanduser(), surroundings or Surroundings()), label=label, origin="added")
    save_added(label, installation.wrapper)
    return installation


def _label(installation: Installation, found: list[Installation]) -> str:
    taken = {other.label for other in found}
    preferred = (installation.flavour, f"{installation.flavour}-{installation.origin}".lower())
    free = (label for label in preferred if label not in taken)
    numbered = (f"{preferred[1]}-{number}" for number in range(2, len(taken) + 3))
    return next(free, None) or next(label for label in numbered if label not in taken)


def _known(installation: Installation, found: list[Installation]) -> bool:
    """Two wrappers of one folder that lead to the same library are one installation (Intel's mpicxx and mpigxx)."""
    return any(
        (other.launcher, other.flavour, other.version)
        == (installation.launcher, installation.flavour, installation.version)
        and other.origin != "added"
        for other in found
    )


def _at_path(path: Path, here: Surroundings) -> Installation:
    path = path.expanduser()
    if path.name.startswith(("mpiexec", "mpirun")):
        suffix = path.name.partition(".")[1:]
        path = path.with_name("mpicxx" + "".join(suffix)) if suffix != (".", "hydra") else path.with_name("mpicxx")
    result = recognise(WrapperCandidate(path.absolute(), "path"), here.environ)
    if isinstance(result, Unusable):
        message = f"{path} cannot be used as an MPI: {result.reason}; name a wrapper such as /opt/mpich/bin/mpicxx"
        raise UsageError(message)
    same = (other for other in discover(here) if other.wrapper == result.wrapper)
    return next(same, result)


def _named(which: str, here: Surroundings) -> Installation:
    seen = survey(here)
    for installation in seen.installations:
        if which == installation.label:
            return installation
    for installation in seen.installations:
        if which == installation.flavour:
            return installation
    found = ", ".join(f"{i.label} ({i.flavour} {i.version}, {i.wrapper})" for i in seen.installations) or "none"
    kind = "is not installed here" if which in {f.name for f in FLAVOURS} else "is unknown"
    message = f"MPI {which!r} {kind}; found: {found}; a path such as /opt/mpich/bin/mpicxx works too"
    raise UsageError(message)
