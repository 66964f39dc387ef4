// `loop`: synchronise once, then time so many calls in a row as one sample (scheme MS2 of Hunold and Carpen-Amarie
// 2016, Table 2). What is recorded is the time per call. Calls of a row overlap where the operation lets a rank go on
// before the others, so that this is a rate rather than a latency: a broadcast's root never waits.
#include "clock/visit.hpp"
#include "workload/scheme/loop_parameters.hpp"
#include "workload/scheme/time_loops.hpp"

namespace ictus {
namespace {

constexpr Parameter loop_scheme_parameters[] = {scheme::calls_parameter};

class Loop final : public Scheme {
public:
    explicit Loop(std::uint64_t calls) : calls_(calls) {}

    std::size_t measure(const SchemePlace& place, std::uint64_t first, std::span<Stamp> stamps) override {
        std::size_t filled = 0;
        place.procsync.begin();
        clock::visit(place.clock,
                     [&](auto& clock) { filled = scheme::time_loops(clock, place, first, stamps, calls_, [] {}); });
        return filled;
    }

    [[nodiscard]] std::uint64_t calls() const override { return calls_; }

private:
    std::uint64_t calls_;
};

} // namespace

namespace scheme {
extern const SchemeMember loop;
const SchemeMember loop = {
    {"loop", "synchronise once, then time calls in a row; recorded is the time per call",
     "Hunold and Carpen-Amarie 2016, Table 2, MS2", loop_scheme_parameters},
    [](const Bound& bound) -> std::unique_ptr<Scheme> { return std::make_unique<Loop>(bound.count("calls")); }};
} // namespace scheme

} // namespace ictus
