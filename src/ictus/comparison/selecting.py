"""Variables that select algorithms of collectives, which a comparison of libraries does not expect, in sentences."""

from collections.abc import Iterator, Sequence

from ictus.comparison.shared_values import counted
from ictus.model.environment import UNSET
from ictus.model.library import Library
from ictus.mpi.environment import selecting_sentence, selects_algorithms
from ictus.store.campaign import Campaign
from ictus.store.launch import Launch


def selecting_sentences(*campaigns: Campaign) -> tuple[str, ...]:
    """For each library the variables that select algorithms in its launches, beside those that the campaign compares.
    Of several campaigns that do not agree, each is named.
    """
    each = [
        tuple(text for library in campaign.libraries for text in _selecting(library, campaign.launches))
        for campaign in campaigns
    ]
    if len(set(each)) <= 1:
        return each[0] if each else ()
    return tuple(
        f"{campaign.folder.resolve().name}: {text}"
        for campaign, texts in zip(campaigns, each, strict=True)
        for text in texts
    )


def _selecting(library: Library, launches: Sequence[Launch]) -> Iterator[str]:
    variables_each = [launch.unplanned_variables for launch in launches if launch.mpi == library.label]
    names = sorted(
        {name for variables in variables_each for name in variables if selects_algorithms(library.flavour, name)}
    )
    if names:
        counts_text = ", ".join(
            f"{name}={counted(variables.get(name, UNSET) for variables in variables_each)}" for name in names
        )
        yield f"{selecting_sentence(library.label, counts_text)}."
