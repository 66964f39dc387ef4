// The members of family `scheme`.
#include "workload/scheme.hpp"

#include "barrier/barrier.hpp"
#include "base/parameter.hpp"
#include "clock/visit.hpp"
#include "mpi/handles.hpp"

namespace ictus {
namespace scheme {
namespace {

// The parameters that `loop` and `loop-barrier` share.
constexpr Parameter calls_parameter = {.name = "calls",
                                       .type = Parameter::Type::count,
                                       .default_value = "100",
                                       .help = "calls of a loop, which is one sample: the time per call",
                                       .minimum = 1,
                                       .maximum = 1e6};

// The timed loop of the schemes that time several calls in a row.
//
// A sample is one loop: a clock reading, the calls, a clock reading, inlined as in `per-call`. Its process
// synchronisation and its cache mode prepare the first call only. `late`: the loop began after the deadline.
// A window must include the whole loop; `overrun`: it did not.
/// `after_call` follows each call inside the timing.
template <class ConcreteClock, class AfterCall>
std::size_t time_loops(ConcreteClock& clock, const SchemeContext& context, std::uint64_t first, std::span<Stamp> stamps,
                       std::uint64_t calls, AfterCall after_call) {
    int worst = MPI_SUCCESS;
    std::size_t filled = 0;
    for (Stamp& stamp : stamps) {
        Operation& operation = context.rotation.of(first + filled);
        context.cache.prepare(operation);
        const SampleFlags late = context.procsync.start();
        if ((late & over_flag) != 0) {
            break;
        }
        ++filled;
        stamp.start = clock.read();
        for (std::uint64_t i = 0; i < calls; ++i) {
            const int code = operation.call();
            if (code != MPI_SUCCESS) {
                worst = code;
            }
            after_call();
        }
        stamp.end = clock.read();
        stamp.flags = static_cast<SampleFlags>(late | context.procsync.finish(clock.to_local(stamp.end)));
    }
    mpi::check(worst, "a measured call");
    return filled;
}

} // namespace
} // namespace scheme

namespace {

// `per-call`: synchronise, then time each call by itself (schemes MS1 and MS4 of Hunold and Carpen-Amarie 2016, Table
// 2).
//
// The timed window holds a clock reading, the call, a clock reading. The loop is compiled for each concrete clock, so
// that the readings are inlined; the call is the one indirect call in it. `--op empty` shows its cost.
template <class ConcreteClock>
std::size_t time_calls(ConcreteClock& clock, const SchemeContext& context, std::uint64_t first,
                       std::span<Stamp> stamps) {
    int worst = MPI_SUCCESS;
    std::size_t filled = 0;
    for (Stamp& stamp : stamps) {
        Operation& operation = context.rotation.of(first + filled);
        context.cache.prepare(operation);
        const SampleFlags late = context.procsync.start();
        if ((late & over_flag) != 0) {
            break;
        }
        ++filled;
        stamp.start = clock.read();
        const int code = operation.call();
        stamp.end = clock.read();
        stamp.flags = static_cast<SampleFlags>(late | context.procsync.finish(clock.to_local(stamp.end)));
        if (code != MPI_SUCCESS) {
            worst = code;
        }
    }
    mpi::check(worst, "the measured call");
    return filled;
}

class PerCall final : public Scheme {
public:
    std::size_t measure(const SchemeContext& context, std::uint64_t first, std::span<Stamp> stamps) override {
        std::size_t filled = 0;
        context.procsync.begin();
        clock::visit(context.clock, [&](auto& clock) { filled = time_calls(clock, context, first, stamps); });
        return filled;
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
        std::size_t filled = 0;
        context.procsync.begin();
        clock::visit(context.clock,
                     [&](auto& clock) { filled = scheme::time_loops(clock, context, first, stamps, calls_, [] {}); });
        return filled;
    }

    [[nodiscard]] std::uint64_t calls() const override { return calls_; }

private:
    std::uint64_t calls_;
};

// `loop-barrier`: as `loop`, with a barrier after each call inside the timing (scheme MS3 of Hunold and Carpen-Amarie
// 2016, Table 2). Calls do not overlap; the time per call and barrier is recorded, nothing subtracted. The
// barrier is one more indirect call.
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
        std::size_t filled = 0;
        const auto meet = [&] { barrier_->wait(context.transport); };
        context.procsync.begin();
        clock::visit(context.clock,
                     [&](auto& clock) { filled = scheme::time_loops(clock, context, first, stamps, calls_, meet); });
        return filled;
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
    {"loop", "synchronise once, then time calls in a row; recorded is the time per call",
     "Hunold and Carpen-Amarie 2016, Table 2, MS2", loop_scheme_parameters},
    [](const Bound& bound) -> std::unique_ptr<Scheme> { return std::make_unique<Loop>(bound.count("calls")); }};

const SchemeMember loop_barrier = {
    {"loop-barrier", "as loop, with a barrier after each call inside the timing",
     "Hunold and Carpen-Amarie 2016, Table 2, MS3", loop_barrier_parameters},
    [](const Bound& bound) -> std::unique_ptr<Scheme> { return std::make_unique<LoopBarrier>(bound); }};

} // namespace

const Registry<Scheme>& registry() {
    static const Registry<Scheme> all{
        "scheme", "how calls are strung together and timed", {&per_call, &loop, &loop_barrier}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace scheme

} // namespace ictus
