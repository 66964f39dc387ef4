"""Drafts say what each of their remedies wants: what they cannot say together is told, and taken by its own name."""

from ictus.guidelines.measured import GuidelineMedians, MeasuredCell, SizeSeries
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.model.algorithm import Algorithm, Setting, Variant
from ictus.model.spec import Spec, parse_spec
from ictus.tuning.candidates import Candidate, CandidateField, TuningCell, TuningVariant, Way
from ictus.tuning.confirming import next_best
from ictus.tuning.drafts import TuningLibrary, agreeing, drafted
from ictus.tuning.outcome import Remedy

RULE = Rule("GL10", Kind.PATTERN, Source.PAPER, Spec("bcast"), Spec("bcast_as_scatter_and_allgather"))
SIZES = (64, 1024, 65536)


def place(label: str) -> Configuration:
    """Of a library."""
    return Configuration(label, "default", 2)


def remedy(label: str, way: Way, name: str, size: int, loss_s: float) -> Remedy:
    """For a broadcast."""
    broken = GuidelineVerdict(
        RULE, place(label), size, size, 1, 2e-6 + loss_s, 2e-6, 1.5, 1.4, 1.6, 20, 1e-5, 1e-4, "***", State.VIOLATED
    )
    mock = way is Way.MOCKUP
    candidate = Candidate(way, name, name if mock else "bcast", size, *(() if mock else (name,)))
    return Remedy(TuningCell(place(label), Spec("bcast"), size), candidate, (broken,))


def library(flavour: str, preload: str | None = None) -> TuningLibrary:
    """It has broadcasts of all sizes."""
    known = GuidelineMedians(
        {MeasuredCell(place(flavour), Spec("bcast")): tuple(SizeSeries(size, size, 1) for size in SIZES)}
    )
    return TuningLibrary(flavour, flavour, "Some MPI 1.0", None, known, preload=preload)


def field(one: Remedy, *names: str) -> CandidateField:
    """The call, and these variants of the library."""
    original = Candidate(Way.ORIGINAL, "bcast", Spec("bcast"), one.cell.size_bytes)
    others = (Candidate(one.candidate.way, name, Spec("bcast"), one.cell.size_bytes, name) for name in names)
    return CandidateField(one.cell, (original, *others))


def test_a_library_with_one_algorithm_for_all_sizes_takes_the_one_that_mends_most() -> None:
    """SMPI: a binomial tree wins at 64 B, a pipeline at 64 KiB. The small call tries the pipeline by that name, or is
    told to contradict it.
    """
    names = ("bcast=binomial_tree", "bcast=ompi_pipeline")
    offers = {name: TuningVariant(Way.ALGORITHM, Variant(name), Algorithm(name.partition("=")[2])) for name in names}
    small = remedy("simgrid", Way.ALGORITHM, names[0], 64, 1e-6)
    large = remedy("simgrid", Way.ALGORITHM, names[1], 65536, 9e-6)
    kept, contradicting = agreeing(library("simgrid"), [small, large], offers, [field(small, *names)])
    assert [(one.cell.size_bytes, one.candidate.name) for one in kept] == [(65536, names[1]), (64, names[1])]
    assert contradicting == []
    assert drafted(library("simgrid"), kept, offers).options == ("--cfg=smpi/bcast:ompi_pipeline",)
    kept, contradicting = agreeing(library("simgrid"), [small, large], offers, [field(small, names[0])])
    assert (kept, contradicting) == ([large], [small])


def test_a_variable_has_one_value() -> None:
    """The dearest violation decides the limit of eager messages; the other call may still be confirmed with it."""
    names = ("btl_sm_eager_limit=65536", "btl_sm_eager_limit=8192")
    offers = {
        name: TuningVariant(
            Way.SETTING, Variant(name, Setting({"OMPI_MCA_btl_sm_eager_limit": name.partition("=")[2]}))
        )
        for name in names
    }
    dear = remedy("openmpi", Way.SETTING, names[1], 1024, 9e-6)
    cheap = remedy("openmpi", Way.SETTING, names[0], 64, 1e-6)
    kept, _ = agreeing(library("openmpi"), [cheap, dear], offers, [field(cheap, *names), field(dear, *names)])
    assert [(one.cell.size_bytes, one.candidate.name) for one in kept] == [(1024, names[1]), (64, names[1])]
    assert drafted(library("openmpi"), kept, offers).environment == {"OMPI_MCA_btl_sm_eager_limit": "8192"}


def test_the_next_best_is_one_that_is_applied_otherwise() -> None:
    """Of two that wait the slower algorithm before the faster setting, where a setting was dropped; what contradicts a
    remedy that stays is passed over, and waits on.
    """
    names = ("btl_sm_eager_limit=8192", "bcast=binomial")
    variable = Setting({"OMPI_MCA_btl_sm_eager_limit": "8192"})
    offers = {
        "btl_sm_eager_limit=65536": TuningVariant(
            Way.SETTING, Variant("a", Setting({"OMPI_MCA_btl_sm_eager_limit": "65536"}))
        ),
        names[0]: TuningVariant(Way.SETTING, Variant(names[0], variable)),
        names[1]: TuningVariant(Way.ALGORITHM, Variant(names[1]), Algorithm("binomial", 6)),
    }
    gone = remedy("openmpi", Way.SETTING, "btl_sm_eager_limit=65536", 1024, 9e-6)
    ways = (Way.SETTING, Way.ALGORITHM)
    waiting = {
        gone.cell: [remedy("openmpi", way, name, 1024, 1e-6).candidate for way, name in zip(ways, names, strict=True)]
    }
    for chosen in (names[1], names[0]):
        (other,) = next_best(library("openmpi"), [], [gone], offers, waiting)
        assert other.candidate.name == chosen
    assert waiting == {gone.cell: []}
    waiting[gone.cell] = [remedy("openmpi", Way.SETTING, names[0], 1024, 1e-6).candidate]
    stays = remedy("openmpi", Way.SETTING, "btl_sm_eager_limit=65536", 64, 1e-6)
    assert next_best(library("openmpi"), [stays], [gone], offers, waiting) == []
    assert len(waiting[gone.cell]) == 1


def test_a_profile_is_part_of_a_draft_where_the_library_can_be_loaded() -> None:
    """Neighbours with the same mock-up are one line, by what they move; in front of simulated ranks nothing is loaded,
    and a mock-up is the program's author's.
    """
    found = [remedy("mpich", Way.MOCKUP, RULE.right, size, 1e-6) for size in SIZES]
    redirected = drafted(library("mpich", "/redirect.so:/own.so"), found, {})
    assert redirected.environment == {
        "LD_PRELOAD": "/redirect.so:/own.so",
        "ICTUS_REDIRECT_PROFILE": "{folder}/redirect.profile",
    }
    assert redirected.files["redirect.profile"].splitlines()[3:] == [f"bcast 2 64 65536 {RULE.right} GL10"]
    gap = drafted(library("mpich", "/redirect.so"), [found[0], found[2]], {}).files["redirect.profile"]
    assert gap.splitlines()[3:] == [f"bcast 2 {size} {size} {RULE.right} GL10" for size in (64, 65536)]
    assert not library("mpich").in_force(found[0])
    assert drafted(library("mpich"), found, {}).files == {}


def test_a_profile_has_the_volume_that_calls_move() -> None:
    """Two blocks of a byte are 2 B, whatever was asked for: a line of 1 B would match no call."""
    where = Configuration("mpich", "default", 2)
    known = GuidelineMedians(
        {MeasuredCell(where, Spec("reduce_scatter")): (SizeSeries(1, 2, 2), SizeSeries(64, 64, 2))}
    )
    own = TuningLibrary("mpich", "mpich", "MPICH", None, known, preload="/redirect.so")
    name = "reduce_scatter_as_allreduce"
    found = [
        Remedy(TuningCell(where, Spec("reduce_scatter"), size), Candidate(Way.MOCKUP, name, parse_spec(name), size), ())
        for size in (1, 64)
    ]
    assert drafted(own, found[:1], {}).files["redirect.profile"].splitlines()[3:] == [f"reduce_scatter 2 2 2 {name}"]
    assert f"reduce_scatter 2 2 64 {name}" in drafted(own, found, {}).files["redirect.profile"]
