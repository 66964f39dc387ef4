// `loop-barrier`: as `loop`, with a barrier after each call inside the timing (scheme MS3 of Hunold and Carpen-Amarie
// 2016, Table 2). Calls do not overlap; what is recorded is the time per call and barrier, nothing subtracted. The
// barrier is one more indirect call.
#include "barrier/barrier.hpp"
#include "clock/visit.hpp"
#include "workload/scheme/loop_parameters.hpp"
#include "workload/scheme/time_loops.hpp"

namespace ictus {
namespace {

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

    std::size_t measure(const SchemePlace& place, std::uint64_t first, std::span<Stamp> stamps) override {
        std::size_t filled = 0;
        const auto meet = [&] { barrier_->wait(place.transport); };
        place.procsync.begin();
        clock::visit(place.clock,
                     [&](auto& clock) { filled = scheme::time_loops(clock, place, first, stamps, calls_, meet); });
        return filled;
    }

    [[nodiscard]] std::uint64_t calls() const override { return calls_; }

private:
    std::uint64_t calls_;
    std::unique_ptr<Barrier> barrier_;
};

} // namespace

namespace scheme {
extern const SchemeMember loop_barrier;
const SchemeMember loop_barrier = {
    {"loop-barrier", "as loop, with a barrier after each call inside the timing",
     "Hunold and Carpen-Amarie 2016, Table 2, MS3", loop_barrier_parameters},
    [](const Bound& bound) -> std::unique_ptr<Scheme> { return std::make_unique<LoopBarrier>(bound); }};
} // namespace scheme

} // namespace ictus
