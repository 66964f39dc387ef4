#include "measure/stopping_control.hpp"

#include "transport/control.hpp"

#include <algorithm>
#include <limits>

namespace ictus {
namespace {

/// One sample on one rank; combined over the ranks, the sample of all.
struct SampleSpan {
    double earliest_start_s;
    double latest_end_s;
};

constexpr double never = std::numeric_limits<double>::infinity();
constexpr SampleSpan nobody{never, -never}; ///< of a rank that takes no part

/// A duration counts from zero on every rank where there is no global time.
SampleSpan sample_span(LaunchContext& context, const Stamp& stamp) {
    Clock& clock = context.clock();
    if (!context.clocksync().synchronises()) {
        return {0.0, static_cast<double>(stamp.end - stamp.start) / clock.frequency_hz()};
    }
    const GlobalClock& global = context.global_clock();
    return {global.to_global(clock.to_local(stamp.start)).s, global.to_global(clock.to_local(stamp.end)).s};
}

/// Of the valid samples, on rank 0; empty on others.
std::vector<double> latencies_at_root(LaunchContext& context, const MeasuredCase& measured, std::size_t first) {
    std::vector<SampleSpan> spans;
    for (const Stamp& stamp : std::span(measured.stamps).subspan(first)) {
        if (stamp.flags == 0) { // of all ranks together: the same samples everywhere
            spans.push_back(measured.takes_part ? sample_span(context, stamp) : nobody);
        }
    }
    control::reduce(context.transport(), std::span<SampleSpan>(spans), [](SampleSpan& into, const SampleSpan& from) {
        into.earliest_start_s = std::min(into.earliest_start_s, from.earliest_start_s);
        into.latest_end_s = std::max(into.latest_end_s, from.latest_end_s);
    });
    std::vector<double> latencies;
    if (context.is_root()) {
        for (const SampleSpan& one : spans) {
            latencies.push_back((one.latest_end_s - one.earliest_start_s) / static_cast<double>(measured.calls));
        }
    }
    return latencies;
}

} // namespace

StoppingControl::StoppingControl(LaunchContext& context, Repetition& repetition)
    : context_(context), repetition_(repetition), begun_(context.transport().now()) {}

std::uint64_t StoppingControl::next_batch(const MeasuredCase& measured) {
    Transport& transport = context_.transport();
    const SampleProgress progress{measured.stamps.size(), measured.valid, transport.now() - begun_};
    if (repetition_.evidence() == Repetition::Evidence::counts) {
        return repetition_.next_batch(progress);
    }
    const std::uint64_t next = context_.is_root() ? repetition_.next_batch(progress) : 0;
    return control::broadcast_value(transport, next);
}

void StoppingControl::take(const MeasuredCase& measured, std::size_t first) {
    if (repetition_.evidence() == Repetition::Evidence::latencies) {
        repetition_.take(latencies_at_root(context_, measured, first));
    }
}

} // namespace ictus
