// `skampi`: intersect what every exchange proves and take the middle. Worsch, Reussner, Augustin 2002; algorithm 7 of
// "MPI benchmarking revisited", with the slip of its second branch put right (see clocks.md).
//
// Each exchange proves sent - answered <= client - reference <= received - answered. The reference could form intervals
// too, from the client's stamps between its own sends, but they add nothing: its lower ends are the same, and its upper
// ends, sent(k+1) - answered(k), lie above received(k) - answered(k). So only the client keeps books. Cost: 2 messages
// an exchange.
#include "offset/offset.hpp"
#include "offset/ping_pong.hpp"

#include <algorithm>
#include <cmath>

namespace ictus {
namespace {

constexpr Parameter skampi_parameters[] = {
    {.name = "exchanges",
     .type = Parameter::Type::count,
     .default_value = "100",
     .help = "round trips to intersect",
     .minimum = 1,
     .maximum = 1e6},
};

class Skampi final : public OffsetEstimator {
public:
    explicit Skampi(const Bound& bound) : exchanges_(bound.count("exchanges")) {}

    OffsetSample measure(Transport& transport, const Meeting& meeting) override {
        if (meeting.role == Role::client) {
            return measure_as_client(transport, meeting.peer);
        }
        for (std::uint64_t i = 0; i < exchanges_; ++i) {
            offset::pong(transport, meeting.peer);
        }
        return {};
    }

private:
    OffsetSample measure_as_client(Transport& transport, int reference) const {
        offset::Exchange lowest = offset::ping(transport, reference); // gives the smallest upper end
        offset::Exchange highest = lowest;                            // gives the largest lower end
        double round_trip = lowest.round_trip();
        for (std::uint64_t i = 1; i < exchanges_; ++i) {
            const offset::Exchange next = offset::ping(transport, reference);
            if (next.lower() > highest.lower()) {
                highest = next;
            }
            if (next.upper() < lowest.upper()) {
                lowest = next;
            }
            round_trip = std::min(round_trip, next.round_trip());
        }
        const double low = highest.lower();
        const double high = lowest.upper();
        // The two ends were seen at different times; with a drift the middle holds between them.
        return {(highest.sent + lowest.received) / 2, (low + high) / 2, std::abs(high - low) / 2, round_trip};
    }

    std::uint64_t exchanges_;
};

} // namespace

namespace offset {
extern const OffsetMember skampi;
const OffsetMember skampi = {
    {"skampi", "middle of the intersection of what all exchanges prove",
     "Worsch et al. 2002; Hunold and Carpen-Amarie 2016, algorithm 7", skampi_parameters},
    [](const Bound& bound) -> std::unique_ptr<OffsetEstimator> { return std::make_unique<Skampi>(bound); }};
} // namespace offset

} // namespace ictus
