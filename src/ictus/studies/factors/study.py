"""What changes with one factor alone: the start, the pinning, the compiler, the processor's frequency, the cache."""

from ictus.studies.campaign_material import CampaignMaterial
from ictus.studies.factors import arrivals, average, claims
from ictus.studies.study import study_of_claims

STUDY = study_of_claims("factors", CampaignMaterial(), (*claims.CLAIMS, *arrivals.CLAIMS, *average.CLAIMS))
