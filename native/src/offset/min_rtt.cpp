// `min-rtt`: the quickest exchange, and as many as it takes until `patience` in a row were no quicker. Hoefler,
// Schneider, Lumsdaine 2008, section 3.1. (Algorithm 12 of "MPI benchmarking revisited" prints the offset of the
// last exchange, which was not the quickest; here it is that of the quickest.)
//
// Cost: 2 messages an exchange and one to end. Whatever the distribution of round trips, exchange i is the quickest so
// far with probability 1/i, so the number expected depends on the patience alone: e^gamma (patience + 1/2), gamma
// Euler's constant, which is 179 for 100 (the source simulated 180). `max` ends it where drifting round trips would
// not.
#include "offset/intersection.hpp"

namespace ictus {
namespace {

constexpr Parameter min_rtt_parameters[] = {
    {.name = "patience",
     .type = Parameter::Type::count,
     .default_value = "100",
     .help = "round trips in a row without a new minimum after which it ends",
     .minimum = 1,
     .maximum = 1e6},
    {.name = "max",
     .type = Parameter::Type::count,
     .default_value = "10000",
     .help = "round trips at most",
     .minimum = 1,
     .maximum = 1e9},
};

class MinRtt final : public OffsetEstimator {
public:
    explicit MinRtt(const Bound& bound) : patience_(bound.count("patience")), max_(bound.count("max")) {}

    OffsetSample measure(Transport& transport, const Meeting& meeting) override {
        if (meeting.role == Role::reference) {
            offset::serve(transport, meeting.peer);
            return {};
        }
        offset::Intersection proven;
        std::uint64_t without_gain = 0;
        for (std::uint64_t i = 0; i < max_ && without_gain < patience_; ++i) {
            const bool quicker = proven.add(offset::ping(transport, meeting.peer));
            without_gain = quicker ? 0 : without_gain + 1;
        }
        offset::finish(transport, meeting.peer);
        return proven.sample(proven.quickest().at(), proven.quickest().middle());
    }

private:
    std::uint64_t patience_;
    std::uint64_t max_;
};

} // namespace

namespace offset {
extern const OffsetMember min_rtt;
const OffsetMember min_rtt = {
    {"min-rtt", "the exchange with the shortest round trip; ends when no shorter one was found for a while",
     "Hoefler, Schneider and Lumsdaine 2008, section 3.1", min_rtt_parameters},
    [](const Bound& bound) -> std::unique_ptr<OffsetEstimator> { return std::make_unique<MinRtt>(bound); }};
} // namespace offset

} // namespace ictus
