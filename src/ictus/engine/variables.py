"""Variables that a plan gives to ranks, checked before anything is built: a launch has them, or the plan is refused."""

from collections.abc import Mapping, Sequence

from ictus.model.algorithm import Algorithm, Request, choices
from ictus.model.environment import Values, common
from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.mpi.command import usual_situation
from ictus.mpi.environment import launch_environment, refusal, selecting_sentence, selects_algorithms
from ictus.mpi.flavours import flavour


def check_variables(variables: Values, algorithms: Sequence[Request], installations: Sequence[Installation]) -> None:
    """UsageError for a variable that a launch of one of the libraries cannot have as the plan says: what Ictus or the
    launcher must set, and what an algorithm of the plan sets.
    """
    if not variables:
        return
    situation = usual_situation()
    for installation in installations:
        forcing = _forcing(algorithms, installation)
        for name, values in variables.items():
            if name in forcing:
                raise UsageError(f"--env {name}: algorithm '{forcing[name]}' sets this variable itself; leave one out")
            for value in (values,) if isinstance(values, str) else values:
                why = refusal(installation, situation, name, value)
                if why is not None:
                    raise UsageError(f"--env {name}={value}: {why}")


def selecting_variables(variables: Values, installation: Installation) -> str | None:
    """That variables of the shell, or those that all launches of a plan have, select algorithms of a library; None
    where none does. A factor is no surprise: tables name it.
    """
    values = launch_environment(installation, {}, common(variables)).variables
    factors = variables.keys() - common(variables).keys()
    names = sorted(name for name in values.keys() - factors if selects_algorithms(installation.flavour, name))
    if not names:
        return None
    return selecting_sentence(installation.label, ", ".join(f"{name}={values[name]}" for name in names))


def _forcing(algorithms: Sequence[Request], installation: Installation) -> Mapping[str, str]:
    """By variable that an algorithm sets: that algorithm. The names of variables do not depend on what the library
    offers, which only its core can ask.
    """
    member, label = flavour(installation.flavour), installation.label
    return {
        variable: f"{operation}={name}"
        for forced in choices(algorithms, label)
        for operation, name in forced.items()
        for variable in member.use({operation: Algorithm(name)}).environment
    }
