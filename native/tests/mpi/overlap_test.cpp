// The phases of an overlapped operation on real ranks: in their order, adding up, with the right result; a progress
// thread that works only while it is asked to; and a study whose computation is long enough for what it is to hide.
#include "base/summary.hpp"
#include "check.hpp"
#include "check_mpi.hpp"
#include "measure/calibration.hpp"
#include "procsync/procsync.hpp"
#include "study/overlap_case.hpp"
#include "study/overlap_phases.hpp"
#include "study/progress_thread.hpp"
#include "workload/communicator.hpp"
#include "workload/counts.hpp"
#include "workload/layout.hpp"

#include <mpi.h>

using namespace ictus;
using check::bound;
using check::session;

namespace {

const check::NeedsThreads threads(mpi::Threads::multiple);

std::int64_t quick_calls = std::numeric_limits<std::int64_t>::max(); ///< of MPI_Iallreduce; those behind them are slow
bool leaves_late = false;                                            ///< the last rank, MPI_Barrier
constexpr double slow_s = 400e-6;

void be_slow() {
    const double begin = MPI_Wtime();
    while (MPI_Wtime() - begin < slow_s) {
    }
}

} // namespace

/// The library's, of which the last rank leaves a fixed time behind the others.
extern "C" int MPI_Barrier(MPI_Comm comm) {
    const int code = PMPI_Barrier(comm);
    if (leaves_late && session().rank() == session().size() - 1) {
        be_slow();
    }
    return code;
}

/// The library's, a fixed time late from some call on: nobody who measured before can have known.
extern "C" int MPI_Iallreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request* request) {
    if (--quick_calls < 0) {
        be_slow();
    }
    return PMPI_Iallreduce(send, receive, count, type, op, comm, request);
}

namespace {

/// A request under way that records what is asked of it.
class Recorded final : public Startable {
public:
    BoundCall bind_start(MPI_Request& request) override { return BoundCall(start, starts, request); }
    int starts = 0;

private:
    static int start(int& starts, MPI_Request& request) {
        ++starts;
        return MPI_Ibarrier(MPI_COMM_WORLD, &request);
    }
};

std::unique_ptr<Clock> make_clock() {
    return clock::registry().make(bind(clock::family(), {"monotonic", {}}), ClockContext{});
}

Phases once(Clock& clock, ComputationKind kind, std::uint64_t amount, std::uint64_t tests) {
    Recorded operation;
    const Phases phases = overlap_once(clock, operation, {kind, amount, {tests}});
    CHECK_EQ(1, operation.starts);
    return phases;
}

} // namespace

TEST(phases_add_up_to_the_whole_and_none_is_negative) {
    const auto clock = make_clock();
    for (const ComputationKind kind : {ComputationKind::none, ComputationKind::time, ComputationKind::work}) {
        for (const std::uint64_t tests : {0, 1, 2, 5}) {
            const Ticks before = clock->now();
            const Phases phases = once(*clock, kind, 20000, tests);
            const std::int64_t around = clock->now() - before;
            CHECK(phases.init >= 0 && phases.test >= 0 && phases.compute >= 0 && phases.wait >= 0);
            CHECK(phases.total() <= around);
            CHECK_EQ(phases.init + phases.test + phases.compute + phases.wait, phases.total());
        }
    }
}

TEST(computing_until_the_clock_says_so_is_never_shorter) {
    const auto clock = make_clock();
    for (const std::uint64_t tests : {0, 1, 2, 5}) {
        CHECK(once(*clock, ComputationKind::time, 200000, tests).compute >= 200000);
    }
}

TEST(what_is_not_asked_for_takes_no_time) {
    const auto clock = make_clock();
    CHECK_EQ(0, once(*clock, ComputationKind::none, 0, 0).compute);
    CHECK_EQ(0, once(*clock, ComputationKind::none, 0, 7).test); // completed at once: nothing to test
    CHECK_EQ(0, once(*clock, ComputationKind::time, 1000, 0).test);
}

TEST(a_workload_takes_at_least_as_long_as_it_must) {
    const auto clock = make_clock();
    const std::uint64_t found = find_workload(*clock, 300e-6);
    CHECK(found > 0);
    const auto begin = clock->now();
    work(10 * found); // nobody can do it faster than undisturbed; ten times, for the median was somewhere in between
    CHECK(static_cast<double>(clock->now() - begin) / clock->frequency_hz() > 300e-6);
}

TEST(a_paused_progress_thread_calls_nothing) {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    CHECK_EQ(int{MPI_THREAD_MULTIPLE}, level);
    ProgressThread thread(std::nullopt, 0.0);
    CHECK_EQ(std::uint64_t{0}, thread.calls());
    std::uint64_t before = 0;
    for (int i = 0; i < 50; ++i) {
        thread.resume();
        while (thread.calls() == before) { // it does call now
        }
        thread.pause();
        before = thread.calls();
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_EQ(before, thread.calls());
    }
}

TEST(a_thread_is_not_put_where_there_is_no_cpu) { CHECK_THROWS(ProgressThread(4000, 0.0), "CPU 4000"); }

namespace {

CasePlan small_allreduce() {
    CasePlan one;
    one.call = bound(operation::family(), "iallreduce");
    one.operation = std::make_shared<OperationMember>(operation::traits("iallreduce"));
    one.size_bytes = 1024;
    one.datatype = &find_datatype("double");
    one.reduction = &find_operator("sum");
    one.communicator = bound(communicator::family(), "world");
    one.counts = bound(counts::family(), "equal");
    one.layout = bound(layout::family(), "basic");
    one.warmup = 10;
    return one;
}

OverlapPlan study_plan(const std::string& procsync) {
    OverlapPlan plan;
    plan.procsync = bound(procsync::family(), procsync);
    plan.computations = {ComputationKind::time};
    plan.intervals_bytes = {0};
    plan.nrep = 12;
    return plan;
}

/// The case that was measured, and the median over its repetitions of T_b; rank 0 alone has them.
std::pair<OverlapCase, double> studied(const OverlapPlan& plan) {
    static const CasePlan one = small_allreduce(); // outlives the case that names it
    LaunchPlan launch;
    launch.clock = bound(clock::family(), "monotonic");
    launch.clocksync = bound(clocksync::family(), "none");
    LaunchContext context(session(), launch);
    (void)open_block(context);
    const OverlapCase found = measure_overlap(context, plan, one, nullptr);
    if (!context.is_root()) {
        return {};
    }
    std::vector<double> blocking_s;
    for (const record::PhaseRecord& phase : found.phases) {
        if (phase.run == 0 && phase.flags == 0) {
            blocking_s.push_back(double{phase.total}); // a copy: the record is packed
        }
    }
    return {found, summarise(std::move(blocking_s)).median};
}

} // namespace

TEST(the_pilot_begins_as_the_runs_do) {
    // The last rank leaves that barrier late, and the others wait for it in T_b; not so after a barrier of our own.
    leaves_late = true;
    const auto [found, blocking_s] = studied(study_plan("barrier(library)"));
    leaves_late = false;
    if (session().rank() == 0 && session().size() > 1) {
        CHECK(found.pilot_s > slow_s / 2);
        CHECK(found.target_s >= found.pilot_s);
        CHECK(blocking_s > slow_s / 2);
    }
}

TEST(a_computation_that_T_b_outlasts_is_lengthened) {
    const OverlapPlan plan = study_plan("barrier");
    quick_calls =
        static_cast<std::int64_t>(4 * small_allreduce().warmup); // the pilot and its warm-ups are over by then
    const auto [found, blocking_s] = studied(plan);
    quick_calls = std::numeric_limits<std::int64_t>::max();
    if (session().rank() == 0) {
        CHECK(found.lengthened > 0 || found.target_s >= blocking_s); // a busy machine's pilot may be long enough
        CHECK(found.target_s >= slow_s);
        CHECK(blocking_s >= slow_s);
        for (const OverlapRun& run : found.runs) {
            CHECK_EQ(plan.nrep, run.valid); // nothing is left of the runs that were too short
        }
    }
}

TEST(the_ranks_of_a_host_are_counted_there) {
    // Ranks of the world in reverse, as where a launcher deals them out to hosts in turn.
    mpi::HostTopology topology;
    topology.host = mpi::Communicator::part(MPI_COMM_WORLD, true, 0, session().size() - 1 - session().rank());
    topology.host_leader = session().size() - 1;
    topology.n_host_ranks = session().size();
    CHECK_EQ(7 - topology.host.rank(), progress_cpu(topology, "7,6,5,4,3,2,1,0").value_or(-1));
    CHECK(!progress_cpu(topology, "any").has_value());
}

TEST(a_list_of_cpus_has_one_for_each_rank_of_a_host) {
    CHECK_THROWS(check_place("0", 2), "'0' names CPUs for 1 of the 2 ranks");
    CHECK_THROWS(check_place("0,same"), "'same' is not a whole number");
    CHECK_THROWS(check_place("5000"), "there is no CPU 5000");
    for (const std::string place : {"0,1", "any", "same"}) {
        check_place(place);
        check_place(place, 2);
    }
}
