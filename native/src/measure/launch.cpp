#include "measure/launch.hpp"

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "base/random.hpp"
#include "clocksync/clocksync.hpp"
#include "drift/bound_rule.hpp"
#include "measure/block.hpp"
#include "measure/launch_facts.hpp"
#include "measure/machine_probe.hpp"
#include "procsync/procsync.hpp"
#include "transport/control.hpp"
#include "workload/communicator.hpp"
#include "workload/operation/demand.hpp"
#include "workload/repetition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ictus {
namespace {

/// A repetition that looks at time or latencies must be the one that ends the case.
void check_repetition(const CasePlan& plan, const ProcSync& procsync) {
    const auto repetition = repetition::registry().make(plan.repetition);
    if (repetition->evidence() != Repetition::Evidence::counts && procsync.ends_cases()) {
        throw usage_error("procsync '" + to_string(plan.procsync.spec()) +
                          "' itself decides when a case ends, and would ignore repetition '" +
                          std::string(plan.repetition.info().name) + "'; use repetition fixed, or another procsync");
    }
}

/// Names that only fail when they are used must fail before the first case has been measured.
void check_cases(LaunchContext& context, const LaunchPlan& plan) {
    try {
        for (const CasePlan& one : plan.cases) {
            const int n_together = communicator::size_of(one.communicator, context.size());
            (void)communicator::registry().make(one.communicator)->groups(context.transport().locations());
            (void)extent_of(one, n_together);
            const auto cache = cache::registry().make(one.cache, context.cache_context());
            operation::require_buffers_that_stay(*one.operation, cache->area_bytes());
            check_repetition(one, *context.make_start(one.procsync));
            if (one.root >= n_together) {
                throw usage_error("root " + std::to_string(one.root) + " of case " + std::to_string(one.id) +
                                  " is not below the number of ranks that call together, " +
                                  std::to_string(n_together));
            }
        }
    } catch (const Error& error) { // nothing here depends on the rank
        throw PlanError(error.what());
    }
}

/// A case whose clock nobody set meanwhile. A step may be what made it fail, and is then the reason that is given.
MeasuredCase measure_steadily(LaunchContext& context, const CasePlan& one, const LaunchPlan& plan) {
    const std::string during = "case " + std::to_string(one.id);
    try {
        MeasuredCase measured = measure_case(context, one, plan.validate, SplitMix64::mix(plan.seed) + one.id);
        context.require_no_step(during);
        return measured;
    } catch (const Error&) {
        context.require_no_step(during);
        throw;
    }
}

void measure_cases(LaunchContext& context, const LaunchPlan& plan, Sink* sink, record::LaunchRecord& launch) {
    MachineProbe machine(context);
    const LocalTime begin = context.transport().now();
    machine.run(context, -1, 0.0, launch);
    Calibration opening = open_block(context);
    LocalTime synchronised = opening.at;
    Block block(0, opening);
    int n_blocks = 1;
    for (const CasePlan& one : plan.cases) {
        context.require_runner();
        if (!block.empty() && block.is_due(context, plan.block_time_s)) {
            opening = block.close(context, plan, sink, launch);
            machine.run(context, n_blocks - 1, context.transport().now() - begin, launch);
            const bool stale = opening.at - synchronised >= plan.resync_time_s;
            if (control::broadcast_value(context.transport(), stale)) { // rank 0 decides for all
                opening = open_block(context);
                synchronised = opening.at;
            }
            context.global_clock().set_model(opening.result.model);
            block = Block(n_blocks++, opening);
        }
        context.require_no_step("what was done before case " + std::to_string(one.id));
        block.add(measure_steadily(context, one, plan));
    }
    if (!block.empty()) {
        block.close(context, plan, sink, launch);
        context.require_no_step("the last measurement of the clocks");
        machine.run(context, n_blocks - 1, context.transport().now() - begin, launch);
    }
}

/// The tightest bound that the plan requests of an algorithm or of one inside it; infinite where it requests none.
double requested_bound(const Bound& algorithm) {
    double requested = std::numeric_limits<double>::infinity();
    for (const Parameter& one : algorithm.info().parameters) {
        if (one.type == Parameter::Type::member) {
            requested = std::min(requested, requested_bound(algorithm.member(one.name)));
        } else if (one.name == "bound" && !algorithm.is_auto("bound")) {
            requested = std::min(requested, algorithm.real("bound"));
        }
    }
    return requested;
}

/// Whether exchanges prove the bound of every rank: an algorithm's own, or those of one inside it. Of an algorithm that
/// consists of others for different ranks, all of them must.
bool proves(const Bound& algorithm) {
    bool some = false;
    bool all = true;
    for (const Parameter& one : algorithm.info().parameters) {
        if (one.name == wander_parameter.name) {
            return true;
        }
        if (one.type == Parameter::Type::member) {
            const bool inside = proves(algorithm.member(one.name));
            some = some || inside;
            all = all && (inside || one.family != &clocksync::family);
        }
    }
    return some && all;
}

std::string times(int n) { return n == 1 ? "once" : std::to_string(n) + " times"; }

/// Warns of every block in which exchanges contradicted each other: while they did, nothing was proven.
void remark_contradictions(const LaunchPlan& plan, record::LaunchRecord& launch) {
    const bool proven = proves(plan.clocksync);
    for (const record::BlockRecord& block : launch.blocks) {
        const std::string begin = "block " + std::to_string(block.block) + ": ";
        if (block.opening.n_contradicted > 0) {
            launch.warnings.push_back(begin +
                                      "exchanges contradicted each other, as they do when a clock jumps; the clocks "
                                      "were synchronised again, " +
                                      times(block.opening.n_contradicted));
        }
        if (block.closing && block.closing->n_contradicted > 0) {
            launch.warnings.push_back(begin +
                                      "exchanges contradicted each other at its end, as they do when a clock jumps; "
                                      "the clocks were measured again, " +
                                      times(block.closing->n_contradicted));
        }
        if (const int none = block.opening.n_without_bound; proven && none > 0) {
            launch.warnings.push_back(begin + "no bound is proven for the clocks of " + std::to_string(none) +
                                      " ranks: their exchanges show a larger wander than was assumed. Allow for more, "
                                      "as in clocksync=ictus(wander=0.1ppm)");
        }
    }
}

/// Warns of every block whose bound is wider than requested.
void remark_bounds(const LaunchPlan& plan, record::LaunchRecord& launch) {
    const double requested = requested_bound(plan.clocksync);
    for (const record::BlockRecord& block : launch.blocks) {
        const double bound = block.opening.bound_s;
        if (!std::isfinite(requested) || bound <= requested) {
            continue;
        }
        launch.warnings.push_back("block " + std::to_string(block.block) + " opened with " +
                                  (std::isnan(bound) ? std::string("clocks without a proven bound")
                                                     : "a clock bound of " + format_duration(bound)) +
                                  "; " + format_duration(requested) +
                                  " was requested. A proven bound cannot be below half the shortest round trip. "
                                  "clocksync=ictus(asymmetry=TIME) can be narrower, where the links are known to be no "
                                  "more asymmetric than TIME");
    }
}

} // namespace

void run_launch(const mpi::Session& session, const LaunchPlan& plan, Sink* sink) {
    session.require_size(plan.n_ranks);
    LaunchContext context(session, plan);
    check_cases(context, plan);
    record::LaunchRecord launch = launch_provenance(context, plan);
    launch.has_ordinary_heap = plan.heap == Heap::ordinary;
    Factors factors(context);
    const LocalTime begin = context.transport().now();
    measure_cases(context, plan, sink, launch);
    launch.elapsed_s = context.transport().now() - begin;
    factors.finish(context, launch);
    for (std::string& remark : closing_domain_remarks(context)) {
        launch.warnings.push_back(std::move(remark));
    }
    if (!context.is_root()) {
        return;
    }
    for (const record::CaseRecord& one : launch.cases) {
        for (std::string& remark : remarks(one)) {
            launch.warnings.push_back(std::move(remark));
        }
    }
    remark_contradictions(plan, launch);
    remark_bounds(plan, launch);
    sink->finish(launch);
}

} // namespace ictus
