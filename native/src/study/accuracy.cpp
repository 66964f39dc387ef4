#include "study/accuracy.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "study/check_schedule.hpp"
#include "study/trial.hpp"
#include "transport/control.hpp"

#include <algorithm>

namespace ictus {
namespace {

/// By what the errors are told; the same on all ranks.
struct Judges {
    bool known = false;
    bool ping_pong = false;
};

Judges choose_judges(Workplace& workplace, const AccuracyPlan& plan, KnownClock& clock, AccuracyResult& result) {
    Judges judges;
    if (plan.truth == AccuracyPlan::Truth::known || may_share_a_counter(workplace.transport().places())) {
        result.counter = measure_shared_counter(workplace, clock);
        judges.known = result.counter->shared;
    }
    if (!judges.known && plan.truth == AccuracyPlan::Truth::known) {
        throw PlanError("option 'truth': the ranks do not read one counter, so the true errors cannot be known; use "
                        "ping-pong");
    }
    judges.ping_pong = !judges.known || plan.truth == AccuracyPlan::Truth::ping_pong;
    return judges;
}

/// Libraries connect processes when they first talk to each other, which is no part of any algorithm.
void connect(Transport& transport) {
    const auto bound = bind(clocksync::family(), {"hca3-offset", {}});
    (void)clocksync::registry().make(bound)->synchronise(transport);
}

void check_algorithms(const AccuracyPlan& plan) {
    try {
        for (const Bound& algorithm : plan.algorithms) {
            (void)clocksync::registry().make(algorithm);
        }
    } catch (const Error& error) { // nothing here depends on the rank
        throw PlanError(error.what());
    }
}

/// All algorithms once. All models are of the same clocks, so one that is checked late loses nothing by those that
/// synchronised after it.
void run_repeat(Workplace& workplace, const AccuracyPlan& plan, std::uint64_t repeat, Judges judges, KnownClock& clock,
                AccuracyResult& result) {
    std::vector<Trial> trials;
    CheckSchedule schedule(workplace.transport(), result.checked, plan);
    for (const std::uint64_t index : shuffled_order(plan.algorithms.size(), SplitMix64::mix(plan.seed) + repeat)) {
        trials.push_back(synchronise(workplace.transport(), clock, judges.known, plan.algorithms[index]));
        trials.back().repeat = repeat;
        trials.back().algorithm = index;
        if (judges.ping_pong) {
            schedule.add(trials.back());
            schedule.perform_due(trials);
        }
    }
    schedule.perform_all(trials);
    for (const Trial& trial : trials) {
        SynchronisationRecord record = record_of(workplace, trial);
        if (judges.known) {
            record.known = known_errors(workplace, clock, trial, plan.waits_s);
        }
        if (judges.ping_pong) {
            record.ping_pong = checked_errors(workplace, trial);
        }
        result.synchronisations.push_back(std::move(record));
    }
}

} // namespace

AccuracyResult run_accuracy(Workplace& workplace, const AccuracyPlan& plan) {
    check_algorithms(plan);
    KnownClock clock(workplace.clock());
    AccuracyResult result;
    const Judges judges = choose_judges(workplace, plan, clock, result);
    result.judged_by_ping_pong = judges.ping_pong;
    if (judges.ping_pong) {
        result.checked = sampled_ranks(workplace.size(), plan.check.sample);
    }
    result.barrier = measure_barrier(workplace.transport(), plan.barriers);
    connect(workplace.transport());
    for (std::uint64_t repeat = 0; repeat < plan.repeats; ++repeat) {
        run_repeat(workplace, plan, repeat, judges, clock, result);
    }
    return result;
}

} // namespace ictus
