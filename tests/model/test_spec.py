"""The grammar of names."""

import pytest

from ictus.model.errors import UsageError
from ictus.model.random import SplitMix64
from ictus.model.spec import UNITS, Argument, Number, Spec, parse_spec, parse_value, split_list


def random_spec(generator: SplitMix64, depth: int) -> Spec:
    """Any spec that the grammar allows, up to `depth` levels."""
    arguments = []
    keyed = False
    for position in range(generator.below(4) if depth else 0):
        keyed = keyed or generator.below(2) == 1
        key = f"key_{position}" if keyed else None
        arguments.append(Argument(key, random_value(generator, depth - 1)))
    name = "-".join("abz9"[generator.below(4)] for _ in range(1 + generator.below(3)))
    return Spec("n" + name, tuple(arguments))


def random_value(generator: SplitMix64, depth: int) -> Spec | Number:
    """A number with or without a unit, or a spec."""
    if generator.below(2):
        return random_spec(generator, depth)
    digits = ("0", "17", "-3", "2.5", "1e-6", "+4", ".5", "12345678901234567890")[generator.below(8)]
    return Number(digits, ("", *UNITS)[generator.below(1 + len(UNITS))])


@pytest.mark.parametrize("seed", range(300))
def test_every_spec_parses_back_from_its_canonical_text(seed: int) -> None:
    """Text and parse_spec are inverse on whatever the grammar can say."""
    spec = random_spec(SplitMix64(seed), depth=4)
    assert parse_spec(str(spec)) == spec


@pytest.mark.parametrize("seed", range(50))
def test_blanks_between_words_change_nothing(seed: int) -> None:
    """A list copied from prose parses like one typed on the command line."""
    spec = random_spec(SplitMix64(seed), depth=3)
    spaced = str(spec).replace("(", " ( ").replace(",", " , ").replace("=", " = ").replace(")", " ) ")
    assert parse_spec(spaced) == spec


def test_nested_arguments_are_specs_themselves() -> None:
    """`hca3(drift=regression(500),offset=skampi)` is taken apart level by level."""
    expected = Spec(
        "hca3",
        (
            Argument(
                "drift", Spec("regression", (Argument(None, Number("500")), Argument("span", Number("100", "ms"))))
            ),
            Argument("offset", Spec("skampi")),
        ),
    )
    assert parse_spec("hca3(drift=regression(500,span=100ms),offset=skampi)") == expected


def test_empty_parentheses_are_no_arguments() -> None:
    """`window()` is `window`."""
    assert str(parse_spec("window()")) == "window"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'', position 1: expected a name"),
        ("Window", "'Window', position 1: expected a name"),
        ("window(", "'window(', position 8: expected a name"),
        ("window(size=)", "'window(size=)', position 13: expected a name"),
        ("window(1us", "'window(1us', position 11: expected ',' or ')'"),
        ("window(1us))", "'window(1us))', position 12: unexpected ')' after the end"),
        ("window(5kg)", "'window(5kg)', position 9: unknown unit 'kg'; units are ns, us, ms, s, ppm, Ki, Mi, Gi"),
        ("window(size=1,2)", "'window(size=1,2)', position 15: positional arguments come before those with a key"),
        ("a(" * 40, "nested deeper than 32 levels"),
    ],
)
def test_an_error_names_text_position_and_what_was_expected(text: str, message: str) -> None:
    """Someone with a typo sees where it is."""
    with pytest.raises(UsageError) as caught:
        parse_spec(text)
    assert message in str(caught.value)


def test_a_value_is_a_number_or_a_spec() -> None:
    """parse_value takes defaults of describe.json apart."""
    assert (parse_value("-5us"), parse_value("auto")) == (Number("-5", "us"), Spec("auto"))


def test_lists_split_at_top_level_commas_only() -> None:
    """`bcast,window(1,b(2,3)) , x` has three items."""
    assert split_list("bcast,window(1,b(2,3)) , x") == ("bcast", "window(1,b(2,3))", "x")


@pytest.mark.parametrize("text", ["", "a,,b", "a,", "a(b", "a)b", ",a"])
def test_a_list_with_a_hole_or_an_open_parenthesis_is_refused(text: str) -> None:
    """Slips in lists are errors, not empty names."""
    with pytest.raises(UsageError):
        split_list(text)
