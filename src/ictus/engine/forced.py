"""Variables of the user's environment that select algorithms of collectives: which of them the launches of a campaign
had, which concern an operation, and how the user is told to remove or to change one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ictus.launch.launchers.scenario import VARIABLE
from ictus.model.environment import UNSET, common
from ictus.model.errors import UsageError
from ictus.model.library import Library
from ictus.mpi.environment import selects_algorithms
from ictus.mpi.flavours import FLAVOURS
from ictus.mpi.flavours.flavour import Flavour
from ictus.store.campaign import Campaign


@dataclass(frozen=True)
class ForcedVariable:
    """A variable that selects algorithms, and that the user set."""

    name: str
    value: str
    planned: bool
    """Whether `--env` gave it; else the shell has it."""

    def __str__(self) -> str:
        return f"{self.name} ({self._source})"

    @property
    def _source(self) -> str:
        return f"given by --env as {self.value}" if self.planned else f"set in your shell to {self.value}"

    def change_to(self, value: str) -> str:
        """What the user does so that a launch has this value, or with UNSET none: `unset NAME (set in your shell to
        VALUE)`.
        """
        if self.planned:
            return f"leave out --env {self.name}={self.value}" if value == UNSET else f"give --env {self.name}={value}"
        return f"unset {self}" if value == UNSET else f"export {self.name}={value} ({self._source})"


def forced_variables(campaign: Campaign, library: Library) -> tuple[ForcedVariable, ...]:
    """Those that the launches of a library had, by name; without those of its variants, which the user names by
    --algorithm. Of a variable with several values (a factor of launches) none is in force.
    """
    launch = next((candidate for candidate in campaign.launches if candidate.mpi == library.label), None)
    planned = common(campaign.plan.environment)
    variables = {} if launch is None else {**planned, **launch.unplanned_variables}
    return tuple(
        ForcedVariable(name, value, name in planned)
        for name, value in sorted(variables.items())
        if value != UNSET
        and (name not in campaign.plan.environment or name in planned)
        and _selects_any(library.flavour, name)
    )


def check_shell(campaign: Campaign, environment: Mapping[str, str]) -> None:
    """UsageError where `environment`, that of the shell, forces algorithms otherwise than when the campaign was
    measured: launches of now are those of another library than it had.
    """
    for library in campaign.libraries:
        had = {
            variable.name: variable.value for variable in forced_variables(campaign, library) if not variable.planned
        }
        has = {
            name: value
            for name, value in environment.items()
            if name not in campaign.plan.environment and _selects_any(library.flavour, name)
        }
        for name in sorted(had.keys() | has.keys()):
            before, current = had.get(name, UNSET), has.get(name, UNSET)
            if before != current:
                raise UsageError(
                    f"{name}, which selects algorithms of {library.label}, was {before} in your shell when "
                    f"'{campaign.folder}' was measured, and is {current} now: set it as it was, or measure again"
                )


def concerning(flavour_name: str, operation: str, forced: Iterable[ForcedVariable]) -> tuple[ForcedVariable, ...]:
    """Those that decide which algorithm an operation takes."""
    member = _member(flavour_name)
    if member is None:
        return tuple(variable for variable in forced if variable.name == f"{VARIABLE}{operation.upper()}")
    return tuple(variable for variable in forced if member.selects(operation, variable.name))


def hindering(flavour_name: str, operation: str, forced: Iterable[ForcedVariable]) -> tuple[ForcedVariable, ...]:
    """Those that keep an algorithm of the operation that is selected otherwise from being taken."""
    member = _member(flavour_name)
    variables = concerning(flavour_name, operation, forced)
    return (
        variables
        if member is None
        else tuple(variable for variable in variables if member.hinders(operation, variable.name))
    )


def without(
    flavour_name: str, removed: Iterable[ForcedVariable], reference: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """What a launch without these variables is given, and the control variables that it then shows: those of
    `reference`, a launch in a clean environment.
    """
    member = _member(flavour_name)
    names = [variable.name for variable in removed]
    control_names = names if member is None else [member.control_variable(name) for name in names]
    return dict.fromkeys(names, UNSET), {name: reference[name] for name in control_names if name in reference}


def _member(flavour_name: str) -> Flavour | None:
    return next((flavour for flavour in FLAVOURS if flavour.name == flavour_name), None)


def _selects_any(flavour_name: str, name: str) -> bool:
    if _member(flavour_name) is None:
        return name.startswith(VARIABLE)
    return selects_algorithms(flavour_name, name)
