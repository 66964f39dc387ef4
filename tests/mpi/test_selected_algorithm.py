"""What each library tells of its choice of algorithms, and which settings are tried: every branch."""

from dataclasses import replace

from ictus.model.algorithm import Algorithm, CallSignature, LaunchEvidence
from ictus.mpi.flavours import FLAVOURS, flavour

OFFER = {"gather": (Algorithm("binomial", 1), Algorithm("nb", 2))}
OPENMPI = {
    "coll_tuned_use_dynamic_rules": "false",
    "coll_tuned_bcast_algorithm": "ignore",
    "coll_tuned_bcast_algorithm_segmentsize": "0",
    "coll_han_priority": "35",
    "btl_sm_eager_limit": "4096",
    "btl_tcp_eager_limit": "65536",
}
MPICH = {"MPIR_CVAR_GATHER_INTRA_ALGORITHM": "0", "MPIR_CVAR_CH4_OFI_EAGER_THRESHOLD": "-1"}


BCAST = CallSignature("bcast", n=2, total_bytes=64, block_bytes=64, count=64)
GATHER = CallSignature("gather", n=2, total_bytes=64, block_bytes=32, count=32)


def test_openmpi_tells_what_it_was_forced_to_and_who_serves_a_call() -> None:
    """Fixed rules are told by nobody, a rules file is named, a forced algorithm is known; between hosts han serves."""
    member = flavour("openmpi")
    shown = {**OPENMPI, "coll_tuned_priority": "30", "coll_basic_priority": "10"}
    fixed = member.selected_algorithm(BCAST, LaunchEvidence(shown))
    assert fixed.algorithm is None
    assert "coll_tuned_bcast_algorithm" in fixed.where
    assert "component tuned (priority 30) decides by fixed rules, which no variable shows" in fixed.remark
    assert (
        "component han serves it"
        in member.selected_algorithm(replace(BCAST, one_host=False), LaunchEvidence(shown)).remark
    )
    assert "no component shows a priority" in member.selected_algorithm(BCAST, LaunchEvidence({})).remark
    dynamic = {**shown, "coll_tuned_use_dynamic_rules": "true"}
    forced = {**dynamic, "coll_tuned_bcast_algorithm": "chain"}
    assert member.selected_algorithm(BCAST, LaunchEvidence(forced)).algorithm == "chain"
    assert member.selected_algorithm(replace(BCAST, one_host=False), LaunchEvidence(forced)).algorithm is None
    named = member.selected_algorithm(BCAST, LaunchEvidence({**dynamic, "coll_tuned_dynamic_rules_filename": "/there"}))
    assert (named.algorithm, named.remark) == (None, "rules of /there")


def test_mpich_tells_what_it_was_forced_to() -> None:
    """Numbers are names; a file of the user's is not read, and without the library's trees nothing is known."""
    member = flavour("mpich")
    forced = {**MPICH, "MPIR_CVAR_GATHER_INTRA_ALGORITHM": "2"}
    assert member.selected_algorithm(GATHER, LaunchEvidence(forced, offer=OFFER)).algorithm == "nb"
    assert member.selected_algorithm(GATHER, LaunchEvidence(forced)).algorithm == "number 2"
    unknown = member.selected_algorithm(GATHER, LaunchEvidence(MPICH))
    assert (unknown.algorithm, unknown.remark) == (None, "it was not found")
    device = member.selected_algorithm(GATHER, LaunchEvidence({**MPICH, "MPIR_CVAR_GATHER_DEVICE_COLLECTIVE": "1"}))
    assert "the device chooses first" in device.remark
    file = {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": "/there.json"}
    assert member.selected_algorithm(GATHER, LaunchEvidence(MPICH, file)).remark == "it chooses by /there.json"


def test_the_others_say_where_it_would_be_told() -> None:
    """Intel MPI by its variable, SMPI by its selector but for what Ictus asks itself."""
    intel = flavour("intelmpi")
    assert intel.selected_algorithm(GATHER, LaunchEvidence({})).where == "I_MPI_ADJUST_GATHER"
    assert "I_MPI_DEBUG=3 names it" in intel.selected_algorithm(GATHER, LaunchEvidence({})).remark
    assert intel.selected_algorithm(GATHER, LaunchEvidence({}, {"I_MPI_ADJUST_GATHER": "3"})).algorithm == "3"
    assert (
        "numbers with the sizes"
        in intel.selected_algorithm(GATHER, LaunchEvidence({}, {"I_MPI_ADJUST_GATHER": "1:0-8;2"})).remark
    )
    assert flavour("simgrid").selected_algorithm(GATHER, LaunchEvidence({})).where == "--cfg=smpi/coll-selector:ompi"
    assert flavour("simgrid").selected_algorithm(BCAST, LaunchEvidence({})).algorithm == "binomial_tree"


def test_settings_are_those_that_the_library_shows() -> None:
    """Segments of algorithms that cut messages, limits of the transports in use; nothing where no variable is shown."""
    knobs = flavour("openmpi").knobs("bcast", OPENMPI, spread=False)
    segments = {(one.algorithm, one.segment_bytes) for one in knobs if one.algorithm}
    assert ("pipeline", 4096) in segments
    assert ("chain", 32768) in segments
    eager = [one for one in knobs if one.algorithm is None and not one.placement]
    assert [dict(one.environment) for one in eager] == [
        {"OMPI_MCA_btl_sm_eager_limit": "16384"},
        {"OMPI_MCA_btl_sm_eager_limit": "65536"},
    ]
    assert eager[0].expected == {"btl_sm_eager_limit": "16384"}
    assert {one.algorithm for one in flavour("openmpi").knobs("gather", OPENMPI, spread=False)} == {None}
    both = flavour("openmpi").knobs("bcast", {**OPENMPI, "btl_vader_eager_limit": "4096"}, spread=False)
    assert both == knobs, "two names of one variable are not raced against each other"
    older = flavour("openmpi").knobs("gather", {"btl_vader_eager_limit": "4096"}, spread=False)
    assert {one.name.partition("=")[0] for one in older if not one.placement} == {"btl_vader_eager_limit"}
    mpich = [one for one in flavour("mpich").knobs("gather", MPICH, spread=False) if not one.placement]
    assert {next(iter(one.environment)) for one in mpich} == {"MPIR_CVAR_CH4_OFI_EAGER_THRESHOLD"}
    without = [one for one in FLAVOURS if one.name in ("mpich", "openmpi", "simgrid")]
    assert all(knob.placement for one in without for knob in one.knobs("bcast", {}, spread=False))
