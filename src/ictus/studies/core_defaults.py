"""The defaults of the studies that the core measures. The core alone declares them, and describe.json has them:
commands and functions in Python repeat none.
"""

from dataclasses import dataclass

from ictus.model.quantity import parse_duration, parse_size, parse_sizes
from ictus.model.registries import Registries
from ictus.model.spec import Number, parse_spec, split_list


@dataclass(frozen=True)
class CoreDefaults:
    """Those of one study, by the names that its options have in the core."""

    study: str
    """`clocks drift`, as `ictus-bench` calls it."""

    def text(self, option: str) -> str:
        """As the core has it: `50s`, `none,64Ki`."""
        return next(one.default for one in Registries.load().options[self.study] if one.name == option)

    def count(self, option: str) -> int:
        """A whole number."""
        return int(self.text(option))

    def number(self, option: str) -> float:
        """A number."""
        return float(self.text(option))

    def seconds(self, option: str) -> float:
        """A time in seconds."""
        return parse_duration(self.text(option))

    def times(self, option: str) -> tuple[float, ...]:
        """Times in seconds."""
        return tuple(map(parse_duration, split_list(self.text(option))))

    def times_text(self, option: str) -> str:
        """Times as a user types them: `0..20` for every second from 0 to 20."""
        times = self.times(option)
        steps = tuple(float(number) for number in range(len(times)))
        return f"0..{len(times) - 1}" if times == steps and len(times) > 2 else self.text(option)

    def size(self, option: str) -> int:
        """Bytes."""
        return parse_size(self.text(option))

    def sizes(self, option: str) -> tuple[int, ...]:
        """Sizes in bytes."""
        return parse_sizes(self.text(option))

    def nrep(self, option: str) -> int:
        """The number of a repetition: 100 of `fixed(nrep=100)`."""
        given = parse_spec(self.text(option)).argument("nrep")
        assert isinstance(given, Number)
        return int(given.text)


ACCURACY, DRIFT, FREQUENCY = (
    CoreDefaults("clocks accuracy"),
    CoreDefaults("clocks drift"),
    CoreDefaults("clocks frequency"),
)
ROUND_TRIPS, NETWORK = CoreDefaults("clocks rtt"), CoreDefaults("network state")
SKEW, OVERLAP = CoreDefaults("barriers skew"), CoreDefaults("overlap phases")
