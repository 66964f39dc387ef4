"""The usual launches of a study of the core: how many, of what, in which order, with which words."""

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from ictus.engine.event import ignore
from ictus.studies.core_launches import StudySetup, usual_launches
from ictus.studies.core_options import core_option, core_words
from ictus.studies.network.study import STUDY as NETWORK
from ictus.studies.study import values_of


def setup(*processes: int, seed: int = 4) -> StudySetup:
    """Of two libraries."""
    common: Any = SimpleNamespace(processes=processes, seed=seed)
    clocks = {"clock": "tsc", "clock-domain": "host"}
    backends: Any = [
        SimpleNamespace(platform=None, clocks=clocks, installation=SimpleNamespace(label=label)) for label in "ab"
    ]
    return StudySetup(common, backends, ignore)


def test_each_library_and_number_of_processes_has_all_launches_in_random_order() -> None:
    """Each launch with the seed after that of the one before; the same order of the same seed, another of another."""
    planned = usual_launches("barriers skew", setup(2, 3), {"launches": 5, "procsync": "window"}).launches
    slots = [(one.backend.installation.label, one.n, one.options["seed"]) for one in planned]
    assert Counter(slots) == Counter((label, n, str(4 + i)) for label in "ab" for n in (2, 3) for i in range(5))
    assert slots != sorted(slots)
    assert all(one.study == ("barriers", "skew") and one.options["clock-domain"] == "host" for one in planned)
    again = usual_launches("barriers skew", setup(2, 3), {"launches": 5, "procsync": "window"}).launches
    assert [one.n for one in again] == [one.n for one in planned]


def test_the_core_is_given_what_it_declares_and_nothing_else() -> None:
    """`clocks rtt` takes neither a seed nor domains of clocks, and a study without the option has one launch."""
    planned = usual_launches("clocks rtt", setup(2), {"exchanges": 7, "of": None, "per_rank": True}).launches
    assert [dict(one.options) for one in planned] == [{"clock": "tsc", "exchanges": "7"}] * 2


def test_values_reach_the_core_as_it_reads_them() -> None:
    """Times in seconds, lists with commas, sizes in bytes: the usual values of `ictus network`."""
    words = core_words("network state", values_of(NETWORK, {"sizes": "8,1Ki", "quantum": "20us"}))
    assert (words["sizes"], words["quantum"], words["stream-size"]) == ("8,1024", "2e-05", "1048576")
    assert core_words("barriers skew", {"left_alone": True, "waits_s": (0.0, 5.0)}) == {
        "left-alone": "on",
        "waits": "0,5",
    }


@pytest.mark.parametrize(
    ("study", "name", "said"),
    [
        ("network states", "sizes", "describe.json has no study 'network states' of the core: `make describe`"),
        ("network state", "size", "'network state' of the core has no option 'size': `make describe`"),
    ],
)
def test_what_the_core_does_not_declare_is_said(study: str, name: str, said: str) -> None:
    """With the command that brings it, and what there is."""
    with pytest.raises(LookupError) as caught:
        core_option(study, name)
    assert str(caught.value).startswith(said)
    assert "it has " in str(caught.value)


def test_numbers_in_a_list_are_read_as_several() -> None:
    """The core's `count` that is a list."""
    option = core_option("communicators creation", "groups")
    assert (option.kind, option.metavar) == ("counts", "COUNT,...")
