"""Predicted counts in a plan: each case its own, none for what was not predicted, and a plan that says so twice."""

import pytest

from ictus.model.case import expand
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.plan_parts import PredictedCount, auto_rule
from ictus.model.registries import Registries
from ictus.model.spec import Spec, parse_spec

REGISTRIES = Registries.load()


def plan(**more: object) -> Plan:
    """Two sizes of a broadcast, of which 8 bytes need 40 and 1 KiB 90 repetitions."""
    full = Plan(operations="bcast").checked(REGISTRIES)
    counts = [
        PredictedCount(
            operation="bcast", size_bytes=size, n=2, procsync=full.procsync[0], scheme=full.scheme, nrep=nrep
        ).model_dump(mode="json")
        for size, nrep in ((8, 40), (1024, 90))
    ]
    values = {"op": "bcast", "sizes": "8,1Ki", "nrep": "pred", "predicted": counts, **more}
    return Plan.from_values(values)


def test_each_case_has_its_own_repetition() -> None:
    """40 and 90; the plan survives campaign.json and is equal to itself."""
    cases = expand(plan(), REGISTRIES).cases
    assert [str(case.repetition) for case in cases] == [
        "fixed(nrep=40,max_attempts=auto)",
        "fixed(nrep=90,max_attempts=auto)",
    ]
    full = plan().checked(REGISTRIES)
    again = Plan.from_values(full.values())
    assert again == full
    assert again.differences(full) == ()
    assert expand(again, REGISTRIES).cases == cases


def test_a_case_that_was_not_predicted_is_named() -> None:
    """Another size, another start, or nothing at all."""
    for more, said in (
        ({"sizes": "8,2Ki"}, r"bcast of 2 KiB with 2 processes"),
        ({"procsync": "barrier"}, r"procsync barrier"),
        ({"predicted": []}, r"nrep 'pred': nothing is predicted"),
    ):
        with pytest.raises(UsageError, match=said):
            expand(plan(**more), REGISTRIES)


def test_other_counts_are_another_campaign() -> None:
    """The difference is told in a line, not as a list of counts."""
    other = plan().model_copy(update={"predicted": plan().predicted[:1]})
    assert plan().differences(other) == ("predicted: 2 counts from 40 to 90 there, 1 counts from 40 to 40",)


@pytest.mark.parametrize("value", [0, -3, True, 1.5, "", [40]])
def test_what_is_no_number_and_no_place_is_refused(value: object) -> None:
    """A usage error of the field."""
    with pytest.raises(UsageError, match="nrep"):
        Plan.from_values({"nrep": value})


def test_digits_are_a_number_and_words_a_place() -> None:
    """`--nrep 80` and `--nrep pred`."""
    assert Plan.from_values({"nrep": "80"}).nrep == 80
    assert Plan.from_values({"nrep": " pred "}).nrep == "pred"


def test_auto_has_the_parameters_of_the_repetition_and_launches() -> None:
    """Defaults: three launches; what the member does not know is refused."""
    rule, launches = auto_rule(parse_spec("auto(max=500,cov_median=0.02,launches=5)"), REGISTRIES)
    assert str(rule).startswith("nrep(min=20,max=500,step=10,rse=0.025,cov_mean=0.01,cov_median=0.02,")
    assert launches == 5
    assert auto_rule(Spec("auto"), REGISTRIES)[1] == 3
    for text, said in (("auto(max=5)", "below min"), ("auto(rse=3)", "rse"), ("auto(launches=0)", "launches is 0")):
        with pytest.raises(UsageError, match=said):
            auto_rule(parse_spec(text), REGISTRIES)
