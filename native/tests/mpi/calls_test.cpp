// Who calls what in a case, heard at MPI's own doors: this program's MPI_Bcast and MPI_Ibcast stand before the
// library's and keep a list of the communicator and root of each call; its MPI_Start can leave out a start.
#include "check.hpp"
#include "check_mpi.hpp"
#include "measure/case_measurement.hpp"
#include "measure/reduction.hpp"
#include "procsync/procsync.hpp"
#include "workload/cache.hpp"
#include "workload/communicator.hpp"
#include "workload/counts.hpp"
#include "workload/layout.hpp"
#include "workload/operation/nested.hpp"
#include "workload/repetition.hpp"
#include "workload/scheme.hpp"

#include <cmath>
#include <memory>
#include <mpi.h>
#include <vector>

using namespace ictus;
using check::bound;
using check::session;

namespace {

struct Heard {
    int n_together;
    int rank;
    int root;
    friend bool operator==(const Heard&, const Heard&) = default;
};

std::vector<Heard> heard;
int starts = 0;      ///< of persistent requests
int idle_start = -1; ///< the one that does nothing, counted from 0
void hear(MPI_Comm comm, int root) {
    Heard one{0, 0, root};
    PMPI_Comm_size(comm, &one.n_together);
    PMPI_Comm_rank(comm, &one.rank);
    heard.push_back(one);
}

LaunchPlan launch_plan() {
    LaunchPlan plan;
    plan.clock = bound(clock::family(), "monotonic");
    plan.clocksync = bound(clocksync::family(), "none");
    return plan;
}

CasePlan case_plan(const std::string& operation, const std::string& communicator, bool rotates) {
    CasePlan plan;
    plan.call = bound(operation::family(), operation);
    plan.operation = std::make_shared<OperationMember>(operation::traits(plan.call));
    plan.size_bytes = 8;
    plan.datatype = &find_datatype("double");
    plan.reduction = &find_operator("sum");
    plan.communicator = bound(communicator::family(), communicator);
    plan.rotates_root = rotates;
    plan.procsync = bound(procsync::family(), "barrier");
    plan.scheme = bound(scheme::family(), "per-call");
    plan.repetition = bound(repetition::family(), "fixed(11)");
    plan.cache = bound(cache::family(), "warm");
    plan.counts = bound(counts::family(), "equal");
    plan.layout = bound(layout::family(), "basic");
    plan.warmup = 2;
    return plan;
}

/// The calls of one case on this rank.
std::vector<Heard> heard_of(const CasePlan& plan, bool validate) {
    LaunchContext context(session(), launch_plan());
    heard.clear();
    (void)measure_case(context, plan, validate, 1);
    return heard;
}

/// As the members of the family say it: this rank's place in its communicator; no size where it has none.
Heard place_in(const std::string& communicator, int rank, int n_ranks) {
    if (communicator == "reversed") {
        return {n_ranks, n_ranks - 1 - rank, 0};
    }
    if (communicator == "halves") {
        const int half = n_ranks / 2;
        return rank < 2 * half ? Heard{half, rank % half, 0} : Heard{0, 0, 0};
    }
    if (communicator == "hosts(1)" || communicator == "first(1)") {
        return rank == 0 ? Heard{1, 0, 0} : Heard{0, 0, 0};
    }
    return {n_ranks, rank, 0};
}

} // namespace

extern "C" {
int MPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    hear(comm, root);
    return PMPI_Bcast(buffer, count, datatype, root, comm);
}
int MPI_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request) {
    hear(comm, root);
    return PMPI_Ibcast(buffer, count, datatype, root, comm, request);
}
int MPI_Start(MPI_Request* request) { return starts++ == idle_start ? MPI_SUCCESS : PMPI_Start(request); }
}

TEST(repetition_i_has_root_i_mod_p_and_validation_every_root) {
    const int n = session().size();
    for (const char* operation : {"bcast", "ibcast"}) {
        std::vector<Heard> expected;
        const auto add = [&](int calls) {
            for (int i = 0; i < calls; ++i) {
                expected.push_back({n, session().rank(), i % n});
            }
        };
        add(n);              // validation
        add(std::max(2, n)); // warm-up
        add(11);             // repetitions
        CHECK(expected == heard_of(case_plan(operation, "world", true), true));
    }
}

TEST(a_persistent_operation_is_validated_at_its_second_start_too) {
    if (!operation::traits("allreduce_init").available) {
        return;
    }
    for (const char* operation : {"allreduce_init", "sequence(barrier,allreduce_init)"}) {
        starts = 0;
        (void)heard_of(case_plan(operation, "world", false), true);
        CHECK_EQ(2 + 2 + 11, starts);                    // validation, warm-up, repetitions
        LaunchContext context(session(), launch_plan()); // outlives the error, during which no communicator is freed
        for (idle_start = 0; idle_start < 2 && session().size() == 1; ++idle_start) { // several: the others would wait
            starts = 0;
            CHECK_THROWS((void)measure_case(context, case_plan(operation, "world", false), true, 1), "wrong result of");
        }
        idle_start = -1;
    }
}

TEST(one_root_stays_where_it_is) {
    CasePlan plan = case_plan("bcast", "world", false);
    plan.root = session().size() - 1;
    const std::vector<Heard> expected(2 + 11, {session().size(), session().rank(), session().size() - 1});
    CHECK(expected == heard_of(plan, false));
}

TEST(the_ranks_of_a_communicator_call_and_no_others) {
    for (const std::string communicator : {"world", "reversed", "halves", "hosts(1)", "first(1)"}) {
        if (communicator == "halves" && session().size() == 1) {
            continue;
        }
        const Heard place = place_in(communicator, session().rank(), session().size());
        const std::vector<Heard> expected(place.n_together > 0 ? 1 + 2 + 11 : 0, place);
        CHECK(expected == heard_of(case_plan("bcast", communicator, false), true));
    }
}

TEST(a_root_rotates_through_the_ranks_of_its_communicator) {
    if (session().size() > 1) {
        const Heard place = place_in("halves", session().rank(), session().size());
        const std::vector<Heard> found = heard_of(case_plan("bcast", "halves", true), false);
        for (std::size_t i = 0; i < 11 && place.n_together > 0; ++i) {
            CHECK_EQ(static_cast<int>(i) % place.n_together, found[found.size() - 11 + i].root);
        }
        CHECK_EQ(place.n_together == 0, found.empty());
    }
}

TEST(ranks_that_rest_have_no_part_in_the_books) {
    LaunchContext context(session(), launch_plan());
    const CasePlan plan = case_plan("bcast", "hosts(1)", false);
    const MeasuredCase measured = measure_case(context, plan, false, 1);
    CHECK_EQ(session().rank() == 0, measured.takes_part);
    CHECK_EQ(1, measured.n_callers);
    CHECK_EQ(1, measured.n_together);
    CHECK_EQ(std::size_t{11}, measured.stamps.size()); // they are started all the same
}

TEST(a_sample_keeps_the_duration_of_the_root) {
    const int n = session().size();
    LaunchContext context(session(), launch_plan());
    const auto roots_of = [&](const CasePlan& plan) { // rank r takes r + 1 ticks: the duration says whose it is
        MeasuredCase measured = measure_case(context, plan, false, 1);
        for (Stamp& stamp : measured.stamps) {
            stamp.start = {0};
            stamp.end = {session().rank() + 1};
        }
        std::vector<int> roots;
        for (const auto& sample : reduce_samples(context, measured, {ClockModel{}, 0.0}, 3, 7)) {
            roots.push_back(static_cast<int>(std::lround(sample.root * context.clock().frequency_hz())) - 1);
        }
        return roots;
    };
    const auto expected = [&](const auto& root_of_repetition) {
        std::vector<int> roots;
        for (int i = 3; i < 10 && session().rank() == 0; ++i) {
            roots.push_back(root_of_repetition(i));
        }
        return roots;
    };
    CasePlan last = case_plan("bcast", "world", false);
    last.root = n - 1;
    CHECK(roots_of(last) == expected([&](int) { return n - 1; }));
    CHECK(roots_of(case_plan("bcast", "world", true)) == expected([&](int i) { return i % n; }));
    CHECK(roots_of(case_plan("bcast", "reversed", true)) == expected([&](int i) { return n - 1 - i % n; }));
    CHECK(roots_of(case_plan("allreduce", "reversed", false)) == expected([&](int) { return n - 1; }));
    if (n > 1) { // of the first group
        CHECK(roots_of(case_plan("bcast", "halves", true)) == expected([&](int i) { return i % (n / 2); }));
    }
}
