"""Finds the MPI installations of this machine, labels them, and selects one by name or path.

A bare name such as `mpich` means the first match in this order (mpi/search.py), of which ICTUS_SEARCH can leave out:

1. wrappers that the user added: label and wrapper, in mpi.json of the user's settings;
2. wheels: `ictus mpi install` and `make setup` put each into `mpi/NAME` of this Python's own prefix, or of the user's
   cache; one may also be installed in the environment itself. They make a comparison the same on every machine;
3. the Intel MPI of I_MPI_ROOT;
4. an MPI of a loaded environment module, or of a site's variable;
5. PATH;
6. Debian's packages, under their suffixed names: the unsuffixed ones change with update-alternatives;
7. `LABEL-abi`: the library with the standard ABI of MPI 5 that an installation has beside its own.
"""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.model.unknown import probable
from ictus.mpi.added import save_added
from ictus.mpi.flavours import FLAVOURS
from ictus.mpi.recognition import Unusable, WrapperCandidate, real_wrapper, recognise
from ictus.mpi.search import VARIABLE, Surroundings, candidates, wrapper_names
from ictus.mpi.standard_abi import by_its_wrapper, with_standard_abi
from ictus.mpi.wheels import HOW_TO_INSTALL


@dataclass(frozen=True)
class Survey:
    """All that was seen on this machine."""

    installations: tuple[Installation, ...]
    """Labels are unique."""
    unusable: tuple[Unusable, ...] = ()
    searched: tuple[str, ...] = ()
    """Names of the places, in the order in which a bare name chooses."""
    left_out: tuple[str, ...] = ()
    """Names of the places that ICTUS_SEARCH left out."""

    @property
    def none_found(self) -> str:
        """What to do where there is no usable installation, and why those that were seen are not."""
        reasons = "".join(f"\n{unusable.wrapper} cannot be used: {unusable.reason}" for unusable in self.unusable)
        return f"no MPI found: {HOW_TO_INSTALL}, `ictus doctor` says what else can be done{self.narrowed}{reasons}"

    @property
    def narrowed(self) -> str:
        """The end of a sentence about what was not found: where nobody looked. Empty where all places are searched."""
        if not self.left_out:
            return ""
        return f"; {VARIABLE} has only {', '.join(self.searched)}, so not searched: {', '.join(self.left_out)}"


def survey(surroundings: Surroundings | None = None) -> Survey:
    """Look in all places that are searched. The first installation of a flavour is labelled with its name, further
    ones add their origin.

    The same wrapper is listed once, however many ways lead to it.

    Raises:
        UsageError: ICTUS_SEARCH names no place, or the file of added installations cannot be read.
    """
    here = surroundings or Surroundings()
    wrappers: set[Path] = set()
    installations: list[Installation] = []
    unusable: list[Unusable] = []
    for candidate in candidates(here):
        wrapper = real_wrapper(candidate.wrapper)
        if wrapper in wrappers and candidate.label is None:
            continue
        wrappers.add(wrapper)
        result = recognise(candidate, here.environ)
        if isinstance(result, Unusable):
            unusable.append(result)
        elif candidate.label is not None or not _known(result, installations):
            installations.append(result if candidate.label else replace(result, label=_label(result, installations)))
    return Survey((*installations, *with_standard_abi(installations)), tuple(unusable), here.searched, here.left_out)


def discover(surroundings: Surroundings | None = None) -> tuple[Installation, ...]:
    """The usable installations of `survey`, in the order in which a bare name chooses."""
    return survey(surroundings).installations


def find(which: str, label: str | None = None, surroundings: Surroundings | None = None) -> Installation:
    """The installation that `which` names: a label of `discover`, a flavour, the name of a wrapper in PATH, or
    the path of a wrapper or launcher.

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
    if not wrapper.expanduser().is_file():
        raise UsageError(f"'{wrapper}' is not a file; name a wrapper such as /opt/mpich/bin/mpicxx")
    installation = replace(_at_path(wrapper.expanduser(), surroundings or Surroundings()), label=label, origin="added")
    save_added(label, installation.wrapper)
    return installation


def _label(installation: Installation, installations: list[Installation]) -> str:
    taken = {candidate.label for candidate in installations}
    preferred = (installation.flavour, f"{installation.flavour}-{installation.origin}".lower())
    free = (label for label in preferred if label not in taken)
    numbered = (f"{preferred[1]}-{number}" for number in range(2, len(taken) + 3))
    return next(free, None) or next(label for label in numbered if label not in taken)


def _known(installation: Installation, installations: list[Installation]) -> bool:
    """Two wrappers of one folder that lead to the same library are one installation (Intel's mpicxx and mpigxx)."""
    return any(
        (candidate.launcher, candidate.flavour, candidate.version)
        == (installation.launcher, installation.flavour, installation.version)
        and candidate.origin != "added"
        for candidate in installations
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
    result = by_its_wrapper(result)
    kind = (result.wrapper, result.abi_wrapper)
    return next(
        (candidate for candidate in discover(here) if (candidate.wrapper, candidate.abi_wrapper) == kind), result
    )


def _named(which: str, here: Surroundings) -> Installation:
    survey_here = survey(here)
    for installation in survey_here.installations:
        if which == installation.label:
            return installation
    for installation in survey_here.installations:
        if which == installation.flavour:
            return installation
    in_path = shutil.which(which, path=here.environ.get("PATH")) if "path" in here.searched else None
    if in_path is not None and (which.startswith("mpi") or which in wrapper_names()):
        return _at_path(Path(in_path), here)
    installed = (
        ", ".join(f"{i.label} ({i.flavour} {i.version}, {i.wrapper})" for i in survey_here.installations) or "none"
    )
    flavours = [f.name for f in FLAVOURS]
    kind = "is not installed here" if which in flavours else "is unknown"
    meant = probable(which, (*(i.label for i in survey_here.installations), *flavours)) if which not in flavours else ""
    wheels = (unusable for unusable in survey_here.unusable if unusable.origin == "wheel")
    broken = "".join(f"; {wheel.wrapper} cannot be used: {wheel.reason}" for wheel in wheels)
    message = (
        f"MPI {which!r} {kind}{meant or ';'} found: {installed}{broken}{survey_here.narrowed}; the name of a wrapper "
        f"in PATH or a path such as /opt/mpich/bin/mpicxx works too"
    )
    raise UsageError(message)
