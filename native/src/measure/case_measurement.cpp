#include "measure/case_measurement.hpp"

#include "barrier/barrier.hpp"
#include "core/summary.hpp"
#include "counts/counts.hpp"
#include "measure/pace.hpp"
#include "measure/validation.hpp"
#include "mpi/check.hpp"
#include "repetition/repetition.hpp"
#include "scheme/scheme.hpp"
#include "transport/control.hpp"

#include <algorithm>

namespace ictus {
namespace {

/// A process synchronisation that decides itself when a case is over is not trusted with all memory.
constexpr std::size_t most_samples = 30'000'000;

/// How the volume of a varied operation is shared out to its blocks.
std::vector<std::uint32_t> weights_of(const CasePlan& plan, int n_ranks) {
    return plan.operation->varied ? counts::registry().make(plan.counts)->weights(n_ranks)
                                  : std::vector<std::uint32_t>();
}

/// Makes the calls that are not counted (some libraries change their algorithm after the first 14), each started by our
/// own barrier, and returns the largest latency over ranks, far outliers left out: what a window has to hold.
double warm_up(Workplace& workplace, const CasePlan& plan, CacheMode& cache, Operation& operation) {
    Transport& transport = workplace.transport();
    const auto barrier = barrier::registry().make(bind(barrier::family(), {"dissemination", {}}));
    std::vector<double> latencies;
    for (std::uint64_t i = 0; i < plan.warmup; ++i) {
        cache.prepare(operation);
        barrier->wait(transport);
        const LocalTime start = transport.now();
        mpi::check(operation.call(), "a warm-up call");
        latencies.push_back(transport.now() - start);
    }
    control::reduce(transport, std::span<double>(latencies),
                    [](double& into, double from) { into = std::max(into, from); });
    return control::broadcast_value(transport, largest_undisturbed(latencies));
}

/// What a cache mode does between two calls takes time, and that too has to fit into a window: the longest over ranks,
/// far outliers left out.
double preparation_s(Transport& transport, CacheMode& cache, Operation& operation) {
    constexpr std::size_t trials = 5;
    std::vector<double> durations;
    for (std::size_t i = 0; i < trials; ++i) {
        const LocalTime start = transport.now();
        cache.prepare(operation);
        durations.push_back(transport.now() - start);
    }
    control::reduce(transport, std::span<double>(durations),
                    [](double& into, double from) { into = std::max(into, from); });
    return control::broadcast_value(transport, largest_undisturbed(durations));
}

/// Tries a few loops of a scheme whose samples are loops; returns what the longest took over ranks, far outliers left
/// out: what a window has to hold then.
double try_loops(Workplace& workplace, Scheme& scheme, CacheMode& cache, Operation& operation) {
    constexpr std::size_t loops = 5;
    Transport& transport = workplace.transport();
    const SyncPlace place{transport, workplace.global_clock(), workplace.clocksync().synchronises()};
    const auto start = procsync::registry().make(bind(procsync::family(), {"barrier", {}}), place);
    std::vector<Stamp> stamps(loops);
    scheme.measure({transport, workplace.clock(), *start, cache, operation}, stamps);
    std::vector<double> latencies;
    for (const Stamp& stamp : stamps) {
        latencies.push_back(static_cast<double>(stamp.end - stamp.start) / workplace.clock().frequency_hz());
    }
    control::reduce(transport, std::span<double>(latencies),
                    [](double& into, double from) { into = std::max(into, from); });
    return control::broadcast_value(transport, largest_undisturbed(latencies));
}

std::uint64_t count_valid(std::span<const Stamp> stamps) {
    return static_cast<std::uint64_t>(
        std::count_if(stamps.begin(), stamps.end(), [](const Stamp& stamp) { return stamp.flags == 0; }));
}

/// One late rank spoils the sample for all; what that means is for the process synchronisation to say.
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

/// Of each step the time on the rank where it took longest.
std::vector<SetUp> slowest_set_up(Transport& transport, const Operation& operation) {
    std::vector<SetUp> slowest;
    for (const SetUp& own : operation.set_up()) {
        slowest.push_back({own.what, control::largest(transport, own.elapsed_s)});
    }
    return slowest;
}

/// As many repetitions as are wanted before the flags are combined. False: the case is over.
bool measure_batch(const SchemePlace& place, Scheme& scheme, Pace& pace, MeasuredCase& measured) {
    const std::size_t before = measured.stamps.size();
    const std::uint64_t more = place.procsync.next_batch(pace.next_batch(measured));
    measured.stamps.resize(before + more);
    const std::size_t filled = more == 0 ? 0 : scheme.measure(place, std::span(measured.stamps).subspan(before));
    measured.stamps.resize(before + filled);
    const auto fresh = std::span(measured.stamps).subspan(before);
    if (filled > 0) {
        judge(place.transport, place.procsync, fresh);
        measured.valid += count_valid(fresh);
        pace.take(measured, before);
    }
    return filled > 0 && filled == more;
}

} // namespace

std::unique_ptr<Operation> make_operation(Workplace& workplace, const CasePlan& plan, const Extent& extent,
                                          std::uint64_t area_bytes) {
    const std::vector<std::uint32_t> weights = weights_of(plan, workplace.size());
    CallSite site{workplace.comm(),
                  workplace.rank(),
                  workplace.size(),
                  plan.root,
                  plan.datatype,
                  plan.reduction,
                  static_cast<std::size_t>(extent.count / layout::elements_of(plan.layout))};
    const auto layout = layout::registry().make(plan.layout); // what an operation needs of it, it keeps
    site.layout = layout.get();
    site.in_place = plan.in_place;
    site.weights = weights;
    site.area_bytes = static_cast<std::size_t>(area_bytes);
    return operation::registry().make(plan.call, site);
}

MeasuredCase measure_case(Workplace& workplace, const CasePlan& plan, bool validate, std::uint64_t seed) {
    Transport& transport = workplace.transport();
    MeasuredCase measured;
    measured.plan = &plan;
    measured.extent = extent_of(plan, workplace.size());
    measured.started = transport.now();
    const auto cache = cache::registry().make(plan.cache, workplace.cache_place());
    measured.cache_bytes = cache->cache_bytes();
    const auto operation = make_operation(workplace, plan, measured.extent, cache->area_bytes());
    if (validate) {
        validate_payload(transport, plan, *operation, seed);
    }
    if (validate && cache->area_bytes() > 0) { // at another place too
        operation->advance();
        validate_payload(transport, plan, *operation, seed + 1);
    }

    const SyncPlace place{transport, workplace.global_clock(), workplace.clocksync().synchronises()};
    const auto procsync = procsync::registry().make(plan.procsync, place);
    const auto scheme = scheme::registry().make(plan.scheme);
    const auto repetition = repetition::registry().make(plan.repetition);
    measured.calls = scheme->calls() * operation->parts();
    measured.set_up = slowest_set_up(transport, *operation);
    const double warmed_up = warm_up(workplace, plan, *cache, *operation);
    const double called = scheme->calls() == 1 ? warmed_up : try_loops(workplace, *scheme, *cache, *operation);
    procsync->prepare(called + preparation_s(transport, *cache, *operation));
    const SchemePlace scene{transport, workplace.clock(), *procsync, *cache, *operation};
    Pace pace(workplace, *repetition);
    while (measure_batch(scene, *scheme, pace, measured) && measured.stamps.size() < most_samples) {
    }
    measured.window_s = procsync->window_s();
    measured.ended = transport.now();
    return measured;
}

} // namespace ictus
