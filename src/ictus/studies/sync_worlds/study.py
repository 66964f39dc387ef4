"""What is known of our clock synchronisation where the truth is known: simulated worlds, every one drawn anew."""

from ictus.studies.study import study_of_claims
from ictus.studies.sync_worlds import claims, frontier
from ictus.studies.sync_worlds.material import WorldsMaterial

STUDY = study_of_claims("sync_worlds", WorldsMaterial(), (*frontier.CLAIMS, *claims.CLAIMS))
