#include "measure/case_measurement.hpp"

#include "barrier/barrier.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "base/summary.hpp"
#include "measure/stopping_control.hpp"
#include "mpi/handles.hpp"
#include "plugin/library.hpp"
#include "transport/control.hpp"
#include "workload/counts.hpp"
#include "workload/operation/nested.hpp"
#include "workload/repetition.hpp"
#include "workload/scheme.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace ictus {

std::string title_of(const CasePlan& plan) {
    const plugin::Declaration* const declaration = plan.operation->declaration;
    return declaration == nullptr ? std::string(plan.operation->mpi_name) : plugin::title(*declaration);
}

double longest_undisturbed(Transport& transport, std::vector<double> durations) {
    control::reduce_largest(transport, durations);
    return control::broadcast_value(transport, largest_undisturbed(std::move(durations)));
}

namespace {

/// A limit for process synchronisations that decide when a case is over: memory is finite.
constexpr std::size_t most_samples = 30'000'000;

/// Operations of a rotating root that a rank has at a time. As many roots as most communicators have ranks are never
/// made again; of more, each is made again in its turn, before the start of the repetition.
constexpr std::size_t most_operations = 64;

/// The operation of a rank that takes no part.
class Idle final : public Operation {
public:
    BoundCall bind() override { return BoundCall(); }
    void fill(std::uint64_t) override {}
    [[nodiscard]] std::optional<Mismatch> check(std::uint64_t) const override { return std::nullopt; }
};

bool has_persistent(const CasePlan& plan) {
    return std::ranges::any_of(operation::leaves(plan.call), [](const Bound& one) {
        return operation::traits(one.info().name).form == Form::persistent;
    });
}

bool has_plugged(const CasePlan& plan) {
    return std::ranges::any_of(operation::leaves(plan.call), [](const Bound& one) {
        return operation::traits(one.info().name).declaration != nullptr;
    });
}

RootDuty root_duty(const CallGroup& call_group, const CasePlan& plan) {
    const bool rotates = plan.rotates_root && plan.operation->rooted;
    const int root = plan.operation->rooted ? plan.root : 0;
    RootDuty duty{.turns = rotates ? static_cast<std::size_t>(call_group.size) : 1, .turn = std::nullopt};
    if (call_group.takes_part() && call_group.group == 0 && (rotates || call_group.rank == root)) {
        duty.turn = rotates ? static_cast<std::size_t>(call_group.rank) : 0;
    }
    return duty;
}

/// Every operation of the case with a payload of its own, which differs between groups that call at the same time; and
/// again where its buffers have moved.
void validate_rotation(Transport& transport, const CasePlan& plan, const RootRotation& rotation, int group,
                       std::uint64_t seed, bool moves, std::string_view when = {}) {
    const std::uint64_t own_seed = seed + SplitMix64::mix(static_cast<std::uint64_t>(group));
    for (std::size_t turn = 0; turn < rotation.size(); ++turn) {
        Operation& operation = rotation.of(turn);
        const int root = rotation.size() > 1 ? static_cast<int>(turn) : plan.root;
        validate_payload(transport, plan, root, operation, own_seed + 2 * turn, when);
        if (moves) {
            operation.advance();
            validate_payload(transport, plan, root, operation, own_seed + 2 * turn + 1);
        }
    }
}

/// A line on standard error where ICTUS_MARK_CALLS asks for it. Some libraries say there, call by call, that they take
/// another algorithm than the forced one: between the marks these calls are those of one case, and not our own.
void mark_calls(const LaunchContext& context, const CasePlan& plan, const char* what) {
    if (context.is_root() && std::getenv("ICTUS_MARK_CALLS") != nullptr) {
        std::fprintf(stderr, "ictus-bench: calls of case %s %s\n", std::to_string(plan.id).c_str(), what);
    }
}

/// Makes the calls that are not counted (some libraries change their algorithm after the first 14), as many as the
/// plan says and at least one for each root, each started by our own barrier. Returns the largest latency over ranks,
/// far outliers left out: a window must be that long.
double warm_up(LaunchContext& context, const CasePlan& plan, CacheMode& cache, const RootRotation& rotation) {
    Transport& transport = context.transport();
    const auto barrier = barrier::make_own();
    std::vector<double> latencies;
    for (std::uint64_t i = 0; i < std::max<std::uint64_t>(plan.warmup, rotation.size()); ++i) {
        Operation& operation = rotation.of(i);
        cache.prepare(operation);
        barrier->wait(transport);
        const LocalTime start = transport.now();
        mpi::check(operation.call(), ("a warm-up call of " + title_of(plan)).c_str());
        latencies.push_back(transport.now() - start);
    }
    return longest_undisturbed(transport, std::move(latencies));
}

/// The time that making an operation and a cache mode take between two calls, which a window must include: the longest
/// over ranks, far outliers left out.
double preparation_s(Transport& transport, CacheMode& cache, const RootRotation& rotation) {
    constexpr std::size_t trials = 5;
    std::vector<double> durations;
    for (std::size_t i = 0; i < trials; ++i) {
        const LocalTime start = transport.now();
        cache.prepare(rotation.of(i));
        durations.push_back(transport.now() - start);
    }
    return longest_undisturbed(transport, std::move(durations));
}

/// Tries a few loops of a scheme whose samples are loops; returns the duration of the longest over ranks, far outliers
/// left out: a window must be that long.
double try_loops(LaunchContext& context, const CasePlan& plan, Scheme& scheme, CacheMode& cache,
                 const RootRotation& rotation) {
    constexpr std::size_t loops = 5;
    Transport& transport = context.transport();
    const auto start = context.make_start(bind(procsync::family(), {"barrier", {}}));
    std::vector<Stamp> stamps(loops);
    scheme.measure({transport, context.clock(), *start, cache, rotation, title_of(plan)}, 0, stamps);
    std::vector<double> latencies;
    for (const Stamp& stamp : stamps) {
        latencies.push_back(static_cast<double>(stamp.end - stamp.start) / context.clock().frequency_hz());
    }
    return longest_undisturbed(transport, std::move(latencies));
}

std::uint64_t count_valid(std::span<const Stamp> stamps) {
    return static_cast<std::uint64_t>(
        std::count_if(stamps.begin(), stamps.end(), [](const Stamp& stamp) { return stamp.flags == 0; }));
}

/// One late rank makes the sample invalid for all; the process synchronisation judges the batch.
void judge(Transport& transport, ProcSync& procsync, std::span<Stamp> stamps) {
    std::vector<SampleFlags> flags;
    for (const Stamp& stamp : stamps) {
        flags.push_back(stamp.flags);
    }
    control::combine_flags(transport, flags);
    procsync.judge(flags);
    for (std::size_t i = 0; i < stamps.size(); ++i) {
        stamps[i].flags = flags[i];
    }
}

/// The time of each step on the rank where it took longest. Rank 0 takes part and names the steps; a rank that takes no
/// part has none.
std::vector<SetupCost> slowest_set_up(Transport& transport, const Operation& operation) {
    const std::span<const SetupCost> own = operation.set_up();
    std::vector<SetupCost> slowest;
    for (std::uint64_t i = 0, n = control::broadcast_value(transport, std::uint64_t{own.size()}); i < n; ++i) {
        const bool has = i < own.size();
        slowest.push_back(
            {has ? own[i].what : std::string_view(), control::largest(transport, has ? own[i].elapsed_s : 0.0)});
    }
    return slowest;
}

/// The repetitions of one batch, after which the flags are combined. False: the case is over.
bool measure_batch(const SchemeContext& samples, Scheme& scheme, StoppingControl& stopping, MeasuredCase& measured) {
    const std::size_t before = measured.stamps.size();
    const std::uint64_t more = samples.procsync.next_batch(stopping.next_batch(measured));
    measured.stamps.resize(before + more);
    const std::size_t filled =
        more == 0 ? 0 : scheme.measure(samples, before, std::span(measured.stamps).subspan(before));
    measured.stamps.resize(before + filled);
    const auto fresh = std::span(measured.stamps).subspan(before);
    if (filled > 0) {
        judge(samples.transport, samples.procsync, fresh);
        measured.valid += count_valid(fresh);
        stopping.take(measured, before);
    }
    return filled > 0 && filled == more;
}

} // namespace

std::unique_ptr<Operation> make_operation(const CallGroup& call_group, const CasePlan& plan, const Extent& extent,
                                          int root, std::uint64_t area_bytes) {
    if (!call_group.takes_part()) {
        return std::make_unique<Idle>();
    }
    CallSite site{call_group.comm.handle(),
                  call_group.rank,
                  call_group.size,
                  root,
                  plan.datatype,
                  plan.reduction,
                  static_cast<std::size_t>(extent.count / layout::elements_of(plan.layout))};
    const auto layout = layout::registry().make(plan.layout); // an operation copies what it needs of it
    site.layout = layout.get();
    site.in_place = plan.in_place;
    const auto counts = plan.operation->varied ? counts::registry().make(plan.counts) : nullptr;
    site.counts = counts.get();
    site.area_bytes = static_cast<std::size_t>(area_bytes);
    return operation::registry().make(plan.call, site);
}

RootRotation make_rotation(const CallGroup& call_group, const CasePlan& plan, const Extent& extent,
                           std::uint64_t area_bytes) {
    const bool rotates = plan.rotates_root && plan.operation->rooted;
    const auto n_roots = rotates ? static_cast<std::size_t>(call_group.size) : 1;
    // A new area would begin where the one before it ended, warm: buffers that move need all of them.
    const std::size_t most = area_bytes > 0 ? n_roots : most_operations;
    return {n_roots, most, [&call_group, &plan, extent, area_bytes, rotates](std::size_t turn) {
                return make_operation(call_group, plan, extent, rotates ? static_cast<int>(turn) : plan.root,
                                      area_bytes);
            }};
}

MeasuredCase measure_case(LaunchContext& context, const CasePlan& plan, bool validate, std::uint64_t seed) {
    Transport& transport = context.transport();
    MeasuredCase measured;
    measured.plan = &plan;
    const CallGroup& call_group = context.call_group(plan.communicator);
    measured.extent = extent_of(plan, call_group.size);
    measured.takes_part = call_group.takes_part();
    measured.n_callers = call_group.n_callers;
    measured.n_together = call_group.size;
    measured.root_duty = root_duty(call_group, plan);
    measured.started = transport.now();
    const auto cache = cache::registry().make(plan.cache, context.cache_context());
    measured.cache_bytes = cache->cache_bytes();
    const RootRotation rotation = make_rotation(call_group, plan, measured.extent, cache->area_bytes());
    if (validate) {
        validate_rotation(transport, plan, rotation, call_group.group, seed, cache->area_bytes() > 0);
    }

    const auto procsync = context.make_start(plan.procsync);
    const auto scheme = scheme::registry().make(plan.scheme);
    const auto repetition = repetition::registry().make(plan.repetition);
    measured.calls = scheme->calls() * rotation.of(0).parts();
    measured.large_counts = rotation.of(0).has_large_counts();
    measured.set_up = slowest_set_up(transport, rotation.of(0));
    mark_calls(context, plan, "begin");
    const double warmed_up = warm_up(context, plan, *cache, rotation);
    const double called = scheme->calls() == 1 ? warmed_up : try_loops(context, plan, *scheme, *cache, rotation);
    procsync->prepare(called + preparation_s(transport, *cache, rotation));
    const SchemeContext scene{transport, context.clock(), *procsync, *cache, rotation, title_of(plan)};
    StoppingControl stopping(context, *repetition);
    while (measure_batch(scene, *scheme, stopping, measured) && measured.stamps.size() < most_samples) {
    }
    mark_calls(context, plan, "end");
    measured.window_s = procsync->window_s();
    measured.ended = transport.now();
    if (validate && has_plugged(plan)) { // what it measured was not its first calls
        validate_rotation(transport, plan, rotation, call_group.group, SplitMix64::mix(seed), false,
                          " after it was measured");
    }
    return measured;
}

namespace {

/// What else distinguishes the call, where it is not the default.
std::string where(const CasePlan& plan, int root) {
    const std::string communicator = to_string(plan.communicator.spec());
    return (communicator == "world" ? "" : ", communicator " + communicator) +
           (plan.rotates_root && plan.operation->rooted ? ", root " + std::to_string(root) : "");
}

/// What is wrong with a call on this rank.
struct Fault {
    std::string_view kind;
    std::string what; ///< empty: nothing
};

Fault fault_of_call(const CasePlan& plan, Operation& operation, std::uint64_t seed) {
    operation.fill(seed);
    Fault fault{"behaviour", ""};
    mpi::check(operation.try_call(fault.what), title_of(plan).c_str());
    if (!fault.what.empty()) {
        return fault;
    }
    const std::optional<Mismatch> wrong = operation.check(seed);
    return {"result", wrong ? wrong->where + ": expected " + wrong->expected + ", found " + wrong->found : ""};
}

void validate_call(Transport& transport, const CasePlan& plan, int root, Operation& operation, std::uint64_t seed,
                   std::string_view when) {
    const Fault fault = fault_of_call(plan, operation, seed);
    const int rank = transport.rank();
    const double first = -control::largest(transport, fault.what.empty() ? -transport.size() : -rank);
    if (first >= transport.size()) {
        return;
    }
    if (static_cast<int>(first) == rank) {
        throw measurement_error("wrong " + std::string(fault.kind) + " of " + title_of(plan) + " with " +
                                std::to_string(plan.size_bytes) + " bytes of " + std::string(plan.datatype->mpi_name) +
                                " (case " + std::to_string(plan.id) + where(plan, root) + ")" + std::string(when) +
                                ": rank " + std::to_string(rank) + (fault.kind == "result" ? ", " : " ") + fault.what);
    }
    transport.library_barrier(); // never completes: the failing rank ends the launch
}

} // namespace

void validate_payload(Transport& transport, const CasePlan& plan, int root, Operation& operation, std::uint64_t seed,
                      std::string_view when) {
    validate_call(transport, plan, root, operation, seed, when);
    if (has_persistent(plan) || has_plugged(plan)) {
        validate_call(transport, plan, root, operation, SplitMix64::mix(seed),
                      when.empty() ? " in a second call" : when);
    }
}

} // namespace ictus
