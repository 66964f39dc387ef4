// The members of family `scheme`.
#include "workload/scheme.hpp"

#include "barrier/barrier.hpp"
#include "base/parameter.hpp"
#include "clock/visit.hpp"
#include "mpi/handles.hpp"
#include "workload/timed_window.hpp"

namespace ictus {
namespace scheme {
namespace {

// The parameters that `loop` and `loop-barrier` share.
constexpr Parameter calls_parameter = {.name = "calls",
                                       .type = Parameter::Type::count,
                                       .default_value = "100",
                                       .help = "calls in a loop, which is one sample: its time per call",
                                       .minimum = 1,
                                       .maximum = 1e6};

// How all schemes fill their stamps. The operation's call is bound to its arguments and rehearsed after the cache mode
// has done its work, so that the timed window (workload/timed_window.hpp) finds the lines of Ictus itself in the cache.
// Times and codes are looked at behind the window. `late`: it began after the deadline; `overrun`: it ended too late.

/// What a timed window calls: the operation and, in some schemes, what follows it.
using Calls = std::span<BoundCall>;

/// `time(clock, calls, rounds)` is the timed window.
template <class ConcreteClock, class Time>
std::size_t fill(ConcreteClock& clock, const SchemeContext& context, std::uint64_t first, std::span<Stamp> stamps,
                 Calls calls, std::uint64_t rounds, Time time) {
    std::size_t filled = 0;
    for (Stamp& stamp : stamps) {
        Operation& operation = context.rotation.of(first + filled);
        context.cache.prepare(operation);
        calls.front() = operation.bind();
        BoundCall::rehearse(calls, [&] { (void)time(clock, calls, 1); });
        const SampleFlags late = context.procsync.start();
        if ((late & over_flag) != 0) {
            break;
        }
        ++filled;
        const TimedWindow<ConcreteClock> window = time(clock, calls, rounds);
        stamp.start = clock.ticks(window.start);
        stamp.end = clock.ticks(window.end);
        stamp.flags = static_cast<SampleFlags>(late | context.procsync.finish(clock.to_local(stamp.end)));
        if (window.code != MPI_SUCCESS) { // at once: the others may wait in it, and would in the next start
            mpi::check(window.code, ("a measured call of " + context.title).c_str());
        }
    }
    return filled;
}

/// The same for whichever clock it is.
template <class Time>
std::size_t measure(const SchemeContext& context, std::uint64_t first, std::span<Stamp> stamps, Calls calls,
                    std::uint64_t rounds, Time time) {
    std::size_t filled = 0;
    context.procsync.begin();
    clock::visit(context.clock,
                 [&](auto& clock) { filled = fill(clock, context, first, stamps, calls, rounds, time); });
    return filled;
}

} // namespace
} // namespace scheme

namespace {

// `per-call`: synchronise, then time each call by itself (schemes MS1 and MS4 of Hunold and Carpen-Amarie 2016, Table
// 2).
class PerCall final : public Scheme {
public:
    std::size_t measure(const SchemeContext& context, std::uint64_t first, std::span<Stamp> stamps) override {
        BoundCall call;
        return scheme::measure(context, first, stamps, {&call, 1}, 1,
                               [](auto& clock, auto calls, std::uint64_t) { return time_call(clock, calls.front()); });
    }
};

// `loop`: synchronise once, then time several calls in a row as one sample (scheme MS2 of Hunold and Carpen-Amarie
// 2016, Table 2). The time per call is recorded. Calls of a row overlap where the operation lets a rank go on
// before the others, so that this is a rate rather than a latency: a broadcast's root never waits.
constexpr Parameter loop_scheme_parameters[] = {scheme::calls_parameter};

class Loop final : public Scheme {
public:
    explicit Loop(std::uint64_t calls) : calls_(calls) {}

    std::size_t measure(const SchemeContext& context, std::uint64_t first, std::span<Stamp> stamps) override {
        BoundCall call;
        return scheme::measure(
            context, first, stamps, {&call, 1}, calls_,
            [](auto& clock, auto calls, std::uint64_t rounds) { return time_loop(clock, rounds, calls.front()); });
    }

    [[nodiscard]] std::uint64_t calls() const override { return calls_; }

private:
    std::uint64_t calls_;
};

// `loop-barrier`: as `loop`, with a barrier after each call inside the timing (scheme MS3 of Hunold and Carpen-Amarie
// 2016, Table 2). Calls do not overlap; the time per call and barrier is recorded, nothing subtracted. The
// barrier is one more bound call: of `library` MPI's own function.
constexpr Parameter loop_barrier_parameters[] = {
    scheme::calls_parameter,
    {.name = "barrier",
     .type = Parameter::Type::member,
     .default_value = "library",
     .help = "which barrier",
     .family = &barrier::family},
};

class LoopBarrier final : public Scheme {
public:
    explicit LoopBarrier(const Bound& bound)
        : calls_(bound.count("calls")), barrier_(barrier::registry().make(bound.member("barrier"))) {}

    std::size_t measure(const SchemeContext& context, std::uint64_t first, std::span<Stamp> stamps) override {
        BoundCall both[] = {BoundCall(), barrier_->bind(context.transport)};
        return scheme::measure(context, first, stamps, both, calls_, [](auto& clock, auto calls, std::uint64_t rounds) {
            return time_loop(clock, rounds, calls.front(), calls.back());
        });
    }

    [[nodiscard]] std::uint64_t calls() const override { return calls_; }

private:
    std::uint64_t calls_;
    std::unique_ptr<Barrier> barrier_;
};

} // namespace

namespace scheme {
namespace {

const SchemeMember per_call = {{"per-call",
                                "synchronise, then time each call by itself",
                                "Hunold and Carpen-Amarie 2016, Table 2, MS1 and MS4",
                                {}},
                               [](const Bound&) -> std::unique_ptr<Scheme> { return std::make_unique<PerCall>(); }};

const SchemeMember loop = {
    {"loop", "synchronise once, then time calls in a row; the time per call is recorded",
     "Hunold and Carpen-Amarie 2016, Table 2, MS2", loop_scheme_parameters},
    [](const Bound& bound) -> std::unique_ptr<Scheme> { return std::make_unique<Loop>(bound.count("calls")); }};

const SchemeMember loop_barrier = {
    {"loop-barrier", "as loop, with a barrier after each call inside the timing",
     "Hunold and Carpen-Amarie 2016, Table 2, MS3", loop_barrier_parameters},
    [](const Bound& bound) -> std::unique_ptr<Scheme> { return std::make_unique<LoopBarrier>(bound); }};

} // namespace

const Registry<Scheme>& registry() {
    static const Registry<Scheme> all{
        "scheme", "which calls are timed together, and how", {&per_call, &loop, &loop_barrier}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace scheme

} // namespace ictus
