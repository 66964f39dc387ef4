"""How launches of a campaign were started when it began, which its plan does not say: it may continue otherwise."""

from ictus.model.document import DocumentPart

USUAL_LAUNCHER = "mpiexec"
"""The launcher of commands without --launcher."""


class StartRecord(DocumentPart):
    """The key `start` of campaign.json. Ictus prints it in commands to try next, and never takes it from the folder."""

    launcher: str
    """As --launcher has it."""
    scenario: str | None = None
    """For the launcher `simulated`: the path of the file of its world, as --scenario has it; null for the usual one."""

    @property
    def words(self) -> tuple[str, ...]:
        """The options that start launches alike."""
        launcher = () if self.launcher == USUAL_LAUNCHER else ("--launcher", self.launcher)
        return launcher if self.scenario is None else (*launcher, "--scenario", self.scenario)
