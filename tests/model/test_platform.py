"""Simulated platforms are named like everything else, and say who is where."""

from dataclasses import fields

import pytest

from ictus.model.errors import UsageError
from ictus.model.platform import FAMILY, SimulatedPlatform, full_platform, parse_platform, simulated_clock
from ictus.model.spec import parse_spec


@pytest.mark.parametrize("name", [member.name for member in FAMILY.members])
def test_each_platform_has_a_default_form_that_is_a_platform(name: str) -> None:
    """A bare name is enough, and its full form means the same."""
    platform = parse_platform(name)
    assert platform.name == name
    assert platform == parse_platform(full_platform(name))


def test_every_parameter_is_a_field_with_its_unit() -> None:
    """What is written comes out, in seconds and bytes per second."""
    text = (
        "fat-tree(ranks_per_host=2,hosts_per_switch=4,latency=2us,bandwidth=1Gi,local_latency=100ns,"
        "local_bandwidth=2Gi,jitter=0.5,tail_share=0.02,tail_factor=10,asymmetry=3us,reading=20ns,seed=7)"
    )
    expected = SimulatedPlatform(
        name="fat-tree",
        ranks_per_host=2,
        latency_s=2e-6,
        bandwidth=2**30,
        local_latency_s=1e-7,
        local_bandwidth=2**31,
        jitter=0.5,
        tail_share=0.02,
        tail_factor=10,
        asymmetry_s=3e-6,
        reading_s=2e-8,
        seed=7,
        hosts_per_switch=4,
    )
    assert expected == parse_platform(text)
    assert {parameter.name for parameter in FAMILY.member("fat-tree").parameters} == {
        field.name.removesuffix("_s") for field in fields(SimulatedPlatform)
    } - {"name"}


@pytest.mark.parametrize(
    ("n_ranks", "names"),
    [(1, ["host0"]), (3, ["host0", "host0", "host1"]), (4, ["host0", "host0", "host1", "host1"])],
)
def test_consecutive_ranks_share_a_host(n_ranks: int, names: list[str]) -> None:
    """Blocks of ranks_per_host; the last host may have fewer."""
    platform = parse_platform("two-level(2)")
    assert names == list(platform.host_names(n_ranks))
    assert len(set(names)) == platform.n_hosts(n_ranks)


def test_the_library_is_told_plain_numbers() -> None:
    """Base units, and the network that the name stands for."""
    words = dict(word.split("=") for word in parse_platform("two-level(latency=2us)").description(64).split())
    assert (words["network"], words["hosts"], words["latency"], words["seed"]) == ("star", "4", "2e-06", "1")
    assert "network=fat-tree hosts=64 hosts_per_switch=16 " in parse_platform("fat-tree").description(64)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("flt", "unknown platform 'flt', did you mean 'flat'"),
        ("flat(hosts=3)", "unknown parameter 'hosts' of platform 'flat'"),
        ("flat(latency=0)", r"flat\(latency=0\): allowed is"),
        ("flat(ranks_per_host=0)", r"flat\(ranks_per_host=0\): allowed is"),
        ("two-level(tail_share=2)", r"two-level\(tail_share=2\): allowed is 0 to 1"),
    ],
)
def test_what_is_no_platform_says_why(text: str, message: str) -> None:
    """Names, keys and ranges."""
    with pytest.raises(UsageError, match=message):
        parse_platform(text)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        (None, "wtime"),
        ("skewed(drift=10ppm)", "skewed(base=wtime,drift=10ppm)"),
        ("skewed", "skewed(base=wtime)"),
        ("skewed(base=monotonic)", "skewed(base=monotonic)"),
        ("skewed(monotonic)", "skewed(monotonic)"),
        ("monotonic", "monotonic"),
    ],
)
def test_without_a_name_the_clock_is_simulated_time(asked: str | None, meant: str) -> None:
    """What is named stays."""
    assert meant == str(simulated_clock(None if asked is None else parse_spec(asked)))


@pytest.mark.parametrize("asked", ["tsc", "tsc(frequency=nominal)", "skewed(tsc)", "skewed(base=skewed(base=tsc))"])
def test_a_clock_that_shows_real_time_is_refused(asked: str) -> None:
    """Before a core is built or a simulator started, however many skews lie above it."""
    with pytest.raises(UsageError, match="reads real time"):
        simulated_clock(parse_spec(asked))
