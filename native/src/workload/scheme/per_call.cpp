// `per-call`: synchronise, then time each call by itself (schemes MS1 and MS4 of Hunold and Carpen-Amarie 2016, Table
// 2).
//
// The timed window holds a clock reading, the call, a clock reading. The loop is compiled for each concrete clock, so
// that the readings are inlined; the call is the one indirect call in it. `--op empty` shows what that costs.
#include "clock/visit.hpp"
#include "mpi/check.hpp"
#include "workload/scheme/scheme.hpp"

namespace ictus {
namespace {

template <class ConcreteClock>
std::size_t time_calls(ConcreteClock& clock, const SchemePlace& place, std::uint64_t first, std::span<Stamp> stamps) {
    int worst = MPI_SUCCESS;
    std::size_t filled = 0;
    for (Stamp& stamp : stamps) {
        Operation& operation = place.turns.of(first + filled);
        place.cache.prepare(operation);
        const SampleFlags late = place.procsync.start();
        if ((late & over_flag) != 0) {
            break;
        }
        ++filled;
        stamp.start = clock.read();
        const int code = operation.call();
        stamp.end = clock.read();
        stamp.flags = static_cast<SampleFlags>(late | place.procsync.finish(clock.to_local(stamp.end)));
        if (code != MPI_SUCCESS) {
            worst = code;
        }
    }
    mpi::check(worst, "the measured call");
    return filled;
}

class PerCall final : public Scheme {
public:
    std::size_t measure(const SchemePlace& place, std::uint64_t first, std::span<Stamp> stamps) override {
        std::size_t filled = 0;
        place.procsync.begin();
        clock::visit(place.clock, [&](auto& clock) { filled = time_calls(clock, place, first, stamps); });
        return filled;
    }
};

} // namespace

namespace scheme {
extern const SchemeMember per_call;
const SchemeMember per_call = {{"per-call",
                                "synchronise, then time each call by itself",
                                "Hunold and Carpen-Amarie 2016, Table 2, MS1 and MS4",
                                {}},
                               [](const Bound&) -> std::unique_ptr<Scheme> { return std::make_unique<PerCall>(); }};
} // namespace scheme

} // namespace ictus
