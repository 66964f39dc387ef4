// Every member of family repetition on real ranks: all ranks stop on the same count, whatever each of them saw, and
// that count is the one at which the latencies of all ranks together fulfil the rule.
#include "check.hpp"
#include "check_mpi.hpp"
#include "measure/case_measurement.hpp"
#include "measure/stopping_control.hpp"
#include "procsync/procsync.hpp"
#include "workload/cache.hpp"
#include "workload/communicator.hpp"
#include "workload/counts.hpp"
#include "workload/layout.hpp"
#include "workload/precision.hpp"
#include "workload/scheme.hpp"

#include <mpi.h>
#include <vector>

using namespace ictus;
using check::bound;
using check::session;

namespace {

LaunchPlan launch_plan(const std::string& clocksync) {
    LaunchPlan plan;
    plan.clock = bound(clock::family(), "monotonic");
    plan.clocksync = bound(clocksync::family(), clocksync);
    return plan;
}

CasePlan case_plan(const std::string& repetition, const std::string& procsync) {
    CasePlan plan;
    plan.call = bound(operation::family(), "allreduce");
    plan.operation = std::make_shared<OperationMember>(operation::traits("allreduce"));
    plan.size_bytes = 8;
    plan.datatype = &find_datatype("double");
    plan.reduction = &find_operator("sum");
    plan.procsync = bound(procsync::family(), procsync);
    plan.communicator = bound(communicator::family(), "world");
    plan.scheme = bound(scheme::family(), "per-call");
    plan.repetition = bound(repetition::family(), repetition);
    plan.cache = bound(cache::family(), "warm");
    plan.counts = bound(counts::family(), "equal");
    plan.layout = bound(layout::family(), "basic");
    plan.warmup = 2;
    return plan;
}

/// Whether all ranks pass the same number.
bool is_same_everywhere(std::uint64_t count) {
    std::uint64_t least_and_negated_most[] = {count, ~count};
    std::uint64_t all[2];
    MPI_Allreduce(least_and_negated_most, all, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return all[0] == ~all[1];
}

/// The slowest rank of each valid sample, computed with the library's own reduction: an independent way.
std::vector<double> slowest(LaunchContext& context, const MeasuredCase& measured) {
    std::vector<double> own;
    for (const Stamp& stamp : measured.stamps) {
        if (stamp.flags == 0) {
            own.push_back(static_cast<double>(stamp.end - stamp.start) / context.clock().frequency_hz());
        }
    }
    std::vector<double> all(own.size());
    MPI_Allreduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/// The first of the counts `from`, `from + step`, ... and `most` at which `is_enough` says so of the first so many.
template <class IsEnough>
std::size_t first_enough(const std::vector<double>& latencies, std::size_t from, std::size_t step, std::size_t most,
                         IsEnough is_enough) {
    for (std::size_t n = from; n < most; n += step) {
        if (n <= latencies.size() &&
            is_enough(std::vector<double>(latencies.begin(), latencies.begin() + static_cast<std::ptrdiff_t>(n)))) {
            return n;
        }
    }
    return most;
}

/// Standard error over mean in two passes.
double two_pass_error(const std::vector<double>& values) {
    return coefficient_of_variation(values) / std::sqrt(static_cast<double>(values.size()));
}

} // namespace

TEST(a_count_that_differs_between_ranks_is_seen) {
    CHECK(is_same_everywhere(7));
    CHECK_EQ(session().size() == 1, is_same_everywhere(static_cast<std::uint64_t>(7 + session().rank())));
}

TEST(all_ranks_stop_on_the_same_count_under_every_rule_and_start) {
    LaunchPlan plan = launch_plan("hca3(span=20ms,fitpoints=10,exchanges=5)");
    LaunchContext context(session(), plan);
    context.global_clock().set_model(context.clocksync().synchronise(context.transport()).model);
    for (const char* repetition : {"fixed(20)", "time(slice=2ms)", "rse(max=24)", "interval(min=10,max=30)",
                                   "nrep(max=30)", "nrep(max=30,rse=off,cov_median=0.02)"}) {
        // With more ranks than cores windows are long, and few of their samples valid: there a barrier must do.
        const std::vector<const char*> starts =
            session().size() <= 3 ? std::vector{"barrier", "window", "window-adaptive"} : std::vector{"barrier"};
        for (const char* procsync : starts) {
            const CasePlan one = case_plan(repetition, procsync);
            const MeasuredCase measured = measure_case(context, one, false, 1);
            CHECK(is_same_everywhere(measured.stamps.size()));
            CHECK(is_same_everywhere(measured.valid));
            CHECK(measured.stamps.size() >= measured.valid);
            CHECK(measured.stamps.size() >= 8);
        }
    }
}

TEST(rules_that_look_at_latencies_end_where_the_slowest_ranks_say) {
    LaunchContext context(session(), launch_plan("none"));
    const auto ended = [&](const std::string& repetition) {
        const CasePlan one = case_plan(repetition, "barrier");
        const MeasuredCase measured = measure_case(context, one, false, 1);
        CHECK_EQ(measured.valid, measured.stamps.size()); // a barrier makes nothing late
        return slowest(context, measured);
    };
    const auto rse = ended("rse(min=8,max=200,threshold=0.05)");
    CHECK_EQ(rse.size(), first_enough(rse, 8, 8, 200, [](const auto& some) { return two_pass_error(some) <= 0.05; }));
    const auto interval = ended("interval(width=0.1,level=0.9,min=10,max=200)");
    CHECK_EQ(interval.size(), first_enough(interval, 10, 10, 200, [](const auto& some) {
                 return student_two_sided(0.9, some.size() - 1) * two_pass_error(some) <= 0.1;
             }));
    const auto nrep = ended("nrep(min=20,max=200,rse=off,cov_mean=0.01)");
    CHECK_EQ(nrep.size(), first_enough(nrep, 20, 10, 200, [](const auto& some) {
                 std::vector<double> means;
                 double sum = 0.0;
                 for (std::size_t k = 0; k < some.size(); ++k) {
                     sum += some[k];
                     means.push_back(sum / static_cast<double>(k + 1));
                 }
                 return coefficient_of_variation(std::span<const double>(means).last(20)) <= 0.01;
             }));
}

TEST(a_slice_of_time_is_kept_by_all) {
    LaunchContext context(session(), launch_plan("none"));
    const LocalTime begin = context.transport().now();
    const CasePlan one = case_plan("time(slice=20ms)", "barrier");
    const MeasuredCase measured = measure_case(context, one, false, 1);
    CHECK(is_same_everywhere(measured.stamps.size()));
    CHECK(measured.stamps.size() >= 10);
    // It ends when less than one of n samples would still fit at the pace so far: not before n/(n+1) of the slice.
    CHECK(session().rank() != 0 || context.transport().now() - begin >= 20e-3 * 10 / 11);
}
