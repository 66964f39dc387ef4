"""The plan: shapes, ranges, TOML, and errors that name the field."""

from pathlib import Path

import pytest

from ictus.model.errors import UsageError
from ictus.model.library import LibraryRequest
from ictus.model.plan import Plan
from ictus.model.plan_parts import Method
from ictus.model.registries import Registries
from ictus.model.spec import Spec
from ictus.model.toml import read_toml

REGISTRIES = Registries.load()


def full(family: str, *texts: str) -> tuple[Spec, ...]:
    """Full forms, whatever defaults the core has by now."""
    return tuple(REGISTRIES.check(family, text) for text in texts)


def test_a_plan_without_anything_is_the_short_campaign() -> None:
    """The defaults of `ictus run`."""
    plan = Plan.from_values({}).checked(REGISTRIES)
    assert plan.operations == (Spec("bcast"), Spec("allreduce"), Spec("alltoall"))
    assert (plan.sizes[0], plan.sizes[-1], len(plan.sizes)) == (8, 65536, 14)
    assert (plan.processes, plan.launches, plan.nrep, plan.warmup) == ((2,), 10, 1000, 20)
    assert (plan.datatype, plan.operator, plan.root) == ("double", "sum", ("0",))
    assert tuple(one.name for one in (*plan.clock, *plan.clocksync, *plan.procsync)) == (
        "tsc",
        "ictus",
        "window",
    )


def test_toml_keys_are_the_command_line_s(tmp_path: Path) -> None:
    """Texts as typed there and lists mean the same."""
    path = tmp_path / "plan.toml"
    path.write_text(
        """
mpi = ["mpich", "old=/opt/mpich-4.1/bin/mpicc"]
op = "MPI_Bcast,allreduce"
sizes = [8, "1Ki..4Ki"]
n = [4, 2]
launches = 3
procsync = ["window(100us)", "barrier(library)"]
timeout = "90s"
contention-retries = 1
clock-domain = "rank"
clock-bound = "100ns"
validate = false
[env]
UCX_TLS = "sm"
"""
    )
    plan = Plan.from_values(read_toml(path), source=str(path))
    assert plan.libraries == (LibraryRequest("mpich", "mpich"), LibraryRequest("old", "/opt/mpich-4.1/bin/mpicc"))
    assert (plan.sizes, plan.processes, plan.timeout_s) == ((8, 1024, 2048, 4096), (2, 4), 90.0)
    assert (plan.validation, plan.contention_retries, plan.environment) == (False, 1, {"UCX_TLS": "sm"})
    assert plan.clock_domain == "rank"
    assert plan.clock_bound_s == 100e-9
    assert plan.checked(REGISTRIES).operations == (Spec("bcast"), Spec("allreduce"))
    assert plan.checked(REGISTRIES).procsync == full("procsync", "window(size=100us)", "barrier(algorithm=library)")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"launches": 0}, "launches=0: must be greater than or equal to 1"),
        ({"launces": 3}, "unknown field 'launces' in plan, did you mean 'launches'? known: mpi, op, sizes"),
        ({"op": "bcast,,x"}, "op='bcast,,x': a list has an empty item"),
        ({"op": []}, "op=[]"),
        (
            {"sizes": "eight"},
            "sizes='eight': expected bytes, such as 8,1Ki, a range such as 8..64Ki*8, or paper",
        ),
        ({"sizes": {}}, "sizes={}"),
        ({"n": "two"}, "n='two'"),
        ({"n": [0]}, "n=0: must be greater than or equal to 1"),
        ({"timeout": "5min"}, "timeout='5min': expected a number"),
        ({"timeout": 0}, "timeout=0: must be greater than 0"),
        ({"adjust": "bonferroni"}, "adjust='bonferroni': must be 'holm', 'bh' or 'none'"),
        ({"clock-domain": "node"}, "clock_domain='node': must be 'auto', 'host' or 'rank'"),
        ({"level": 1.0}, "level=1.0: must be less than 1"),
        ({"seed": 2**53}, "seed=9007199254740992"),
        ({"mpi": "a=x,a=y"}, "label 'a' is given twice"),
        ({"mpi": "x.try1"}, "mpi='x.try1': a label is"),
        ({"mpi": "x="}, "'x=': expected a library"),
        (
            {"mpi": "a=x,b=y", "control": "c"},
            "control='c': expected the label of a measured library: a, b; name it with",
        ),
        ({"mpi": "a=x", "control": "a"}, "control='a': no other library is measured"),
        ({"env": {"A": 1}}, "env={'A': 1}: variable 'A': expected a text"),
    ],
)
def test_an_error_names_field_value_and_what_is_allowed(values: dict[str, object], message: str) -> None:
    """The same for TOML and for options."""
    with pytest.raises(UsageError) as caught:
        Plan.from_values(values)
    assert message in str(caught.value)


def test_all_wrong_fields_are_named_at_once() -> None:
    """One run shows every slip."""
    with pytest.raises(UsageError, match=r"launches=0.*\n.*level=7"):
        Plan.from_values({"launches": 0, "level": 7})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"datatype": "duble"}, "unknown datatype 'duble', did you mean 'double'?"),
        ({"operator": "bor"}, "operator 'bor' with datatype 'double': allowed are sum, prod, max, min"),
        ({"root": 2}, "root 2: the smallest number of processes is 2"),
        ({"clock": "sundial"}, "unknown clock 'sundial'"),
        ({"op": "bcst"}, "unknown operation 'bcst', did you mean 'bcast'?"),
        ({"nrep": 5, "repetition": "fixed(4)"}, "nrep 5: repetition 'fixed(4)' says 4; give one of the two"),
    ],
)
def test_names_are_checked_against_the_registries(values: dict[str, object], message: str) -> None:
    """What a plan cannot know by itself, `checked` finds."""
    with pytest.raises(UsageError) as caught:
        Plan.from_values(values).checked(REGISTRIES)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("values", "repetition", "nrep"),
    [
        ({}, "fixed(1000)", 1000),
        ({"nrep": 50}, "fixed(50)", 50),
        ({"repetition": "fixed(70)"}, "fixed(70)", 70),
        ({"repetition": "fixed(max_attempts=90)", "nrep": 30}, "fixed(30,90)", 30),
        ({"repetition": "fixed(30)", "nrep": 30}, "fixed(30)", 30),
    ],
)
def test_nrep_and_repetition_are_one_thing(values: dict[str, object], repetition: str, nrep: int) -> None:
    """`--nrep 50` is `--repetition fixed(nrep=50)`."""
    plan = Plan.from_values(values).checked(REGISTRIES)
    assert (plan.repetition, plan.nrep) == (*full("repetition", repetition), nrep)


@pytest.mark.parametrize("goal", ["bound", "error"])
@pytest.mark.parametrize(
    ("clocksync", "message"),
    [
        ("hca3", "does not learn until that {goal} is reached; use --clocksync ictus"),
        ("ictus({goal}=2us)", "says {goal}=2us; give one of the two"),
    ],
)
def test_a_goal_is_asked_of_an_algorithm_that_learns_until_it_is_reached(
    clocksync: str, message: str, goal: str
) -> None:
    """Refused with the plan, not by the first launch; of `ictus` it can be asked."""
    wanted = {f"clock-{goal}": "1us"}
    accepted = Plan.from_values({**wanted, "clocksync": "ictus"}).checked(REGISTRIES)
    assert getattr(accepted, f"clock_{goal}_s") == 1e-6
    refused = clocksync.format(goal=goal)
    with pytest.raises(UsageError) as caught:
        Plan.from_values({**wanted, "clocksync": refused}).checked(REGISTRIES)
    assert str(caught.value) == f"clock-{goal} 1.00 µs: clocksync '{refused}' {message.format(goal=goal)}"


def test_the_operator_follows_the_datatype() -> None:
    """Sums of doubles, bitwise or of bytes, unless said otherwise."""
    operators = [Plan.from_values({"datatype": name}).checked(REGISTRIES).operator for name in ("double", "byte")]
    assert operators == ["sum", "bor"]


def test_a_checked_plan_survives_campaign_json() -> None:
    """Plan.values and from_values are inverse, and checking again changes nothing."""
    plan = Plan.from_values({"mpi": "a=mpich,openmpi", "seed": 3, "procsync": "window,none"}).checked(REGISTRIES)
    again = Plan.from_values(plan.values())
    assert again == plan
    assert again.checked(REGISTRIES) == plan


def test_a_text_of_a_list_may_name_several_libraries() -> None:
    """As `-m a,b` gives it; a path keeps its comma, also from campaign.json."""
    plan = Plan.from_values({"mpi": ["a=mpich,openmpi", "c=/opt/x,y/bin/mpicc"]})
    assert [(one.label, one.which) for one in plan.libraries] == [
        ("a", "mpich"),
        ("openmpi", "openmpi"),
        ("c", "/opt/x,y/bin/mpicc"),
    ]
    assert Plan.from_values(plan.values()) == plan


def test_a_drawn_seed_is_kept_and_a_given_one_stays() -> None:
    """`seeded` draws at most once."""
    drawn = Plan.from_values({}).seeded()
    assert drawn.seed is not None
    assert drawn.seeded().seed == drawn.seed
    assert Plan.from_values({"seed": 7}).seeded().seed == 7


def test_differences_name_the_fields_and_both_values() -> None:
    """A seed or libraries that were left open differ from none."""
    begun = Plan.from_values({"seed": 1, "mpi": "mpich", "launches": 10, "sizes": "8,16"})
    asked = Plan.from_values({"launches": 20, "sizes": "8"})
    assert begun.differences(asked) == ("sizes: 8,16 there, 8", "launches: 10 there, 20")
    assert begun.differences(Plan.from_values({"seed": 2, "launches": 10, "sizes": "8,16"})) == ("seed: 1 there, 2",)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Missing files and broken TOML are usage errors."""
    with pytest.raises(UsageError, match=r"no.toml' cannot be read: No such file"):
        Plan.from_values(read_toml(tmp_path / "no.toml"), source=str(tmp_path / "no.toml"))
    broken = tmp_path / "broken.toml"
    broken.write_text("op = [")
    with pytest.raises(UsageError, match="is not TOML"):
        Plan.from_values(read_toml(broken), source=str(broken))


@pytest.mark.parametrize(
    ("which", "label"),
    [
        ("mpich", "mpich"),
        ("/opt/mpich-4.2/bin/mpicc", "mpich-4.2"),
        ("/usr/bin/mpicc.openmpi", "openmpi"),
        ("/opt/openmpi-5", "openmpi-5"),
    ],
)
def test_a_library_without_label_is_labelled_by_its_place(which: str, label: str) -> None:
    """Folder of the installation, or suffix of Debian's wrappers."""
    assert Plan.from_values({"mpi": which}).libraries == (LibraryRequest(label, which),)


def test_simulated_libraries_need_a_platform_and_simulated_time() -> None:
    """Where no clock is named it is simulated time; what is named stays."""
    plan = Plan.from_values({}).simulated().checked(Registries.load())
    assert plan.clock == (Spec("wtime"),)
    assert plan.platform is not None
    assert str(plan.platform).startswith("flat(ranks_per_host=1,")
    named = Plan.from_values({"clock": "monotonic", "platform": "two-level"}).simulated()
    assert (named.clock, named.platform) == ((Spec("monotonic"),), Spec("two-level"))


def test_an_unknown_platform_is_no_plan() -> None:
    """It is found before anything is launched."""
    with pytest.raises(UsageError, match="unknown platform 'ring'"):
        Plan.from_values({"platform": "ring"}).checked(Registries.load())


def test_methods_are_several_ways_to_measure_in_the_same_launches(tmp_path: Path) -> None:
    """In TOML they are tables; each is checked, made full, kept once, and outlives campaign.json."""
    path = tmp_path / "plan.toml"
    path.write_text(
        """
op = "bcast"
[[methods]]
procsync = "window"
[[methods]]
procsync = "barrier(library)"
repetition = "fixed(10)"
[[methods]]
procsync = "window()"
"""
    )
    plan = Plan.from_values(read_toml(path), source=str(path)).checked(REGISTRIES)
    assert [(one.procsync, one.repetition) for one in plan.methods] == [
        (full("procsync", "window")[0], full("repetition", "fixed")[0]),
        (full("procsync", "barrier(library)")[0], full("repetition", "fixed(10)")[0]),
    ]
    assert plan.ways == plan.methods
    assert Plan.from_values(plan.values()) == plan == plan.checked(REGISTRIES)


@pytest.mark.parametrize(
    ("extra", "named"),
    [
        ({"nrep": 5}, "nrep = 5"),
        ({"procsync": "none"}, "procsync = none"),
        ({"scheme": "loop"}, "scheme = loop"),
        ({"repetition": "fixed(3)"}, "repetition"),
        ({"methods": [{"procsink": "window"}]}, "methods"),
    ],
)
def test_what_methods_decide_is_not_said_twice(extra: dict[str, object], named: str) -> None:
    """A field beside methods that they name too is an error that names it; an unknown key of a method as well."""
    values: dict[str, object] = {"methods": [{"procsync": "window"}]}
    assert Plan.from_values(values).methods
    with pytest.raises(UsageError, match=named.replace("(", r"\(")):
        Plan.from_values(values | extra)


def test_methods_are_read_from_texts_and_tables_alike() -> None:
    """What is left out at the end of a text is what a table leaves out."""
    texts = Plan.from_values({"methods": ["barrier(library)/loop(calls=10)", "window"]})
    tables = Plan.from_values(
        {"methods": [{"procsync": "barrier(library)", "scheme": "loop(calls=10)"}, {"procsync": "window"}]}
    )
    assert texts.methods == tables.methods
    assert texts.methods[1] == Method()


@pytest.mark.parametrize("text", ["a/b/c/d", "window//fixed", ""])
def test_a_method_that_is_no_method_is_refused_with_what_is_expected(text: str) -> None:
    """Too many parts, and empty ones."""
    with pytest.raises(UsageError, match="expected PROCSYNC, PROCSYNC/SCHEME or PROCSYNC/SCHEME/REPETITION"):
        Plan.from_values({"methods": [text]})
