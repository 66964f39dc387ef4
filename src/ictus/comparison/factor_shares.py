"""Which factors of a campaign matter: the columns of the analysis of variance, from its launch medians."""

import polars as pl

from ictus.comparison.case_titles import ALGORITHM, IDENTITY
from ictus.comparison.matching import LIBRARY, by_environment, medians, with_variable
from ictus.model.environment import ENVIRONMENT
from ictus.stats.variance import VarianceShares, variance_shares
from ictus.store.campaign import Campaign

BLOCK = ("operation", "size_bytes", "n")
"""What is measured; all other factors are how."""


def factor_shares(campaign: Campaign, by: str = LIBRARY) -> VarianceShares | None:
    """Shares of all factors that take more than one value, `by` among them where it is a variable of the environment;
    None where there is no such factor.
    """
    frame = medians(campaign).filter(pl.col("median") > 0)
    variables = [f"{ENVIRONMENT}{name}" for name in campaign.settings[0]]
    variables += [by] if by_environment(by) and by not in variables else []
    forced = frame[ALGORITHM].replace(campaign.variants_without(*campaign.settings[0]))
    for variable in variables:
        frame = with_variable(frame, campaign, variable)
    frame = frame.with_columns(forced)
    names = (LIBRARY, *(name for name in IDENTITY if name not in BLOCK), *variables)
    varying = [name for name in names if frame[name].n_unique() > 1]
    if not varying:
        return None
    return variance_shares(
        frame["median"].to_numpy(),
        frame.select(BLOCK).rows(),
        frame["launch"].to_list(),
        {name: frame[name].to_list() for name in varying},
    )
