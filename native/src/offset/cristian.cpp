// `cristian`: the quickest of a number of exchanges. Cristian 1989: the shorter the round trip, the less room its two
// ways have to differ, so the error is at most half of its excess over the least latency both ways. Cristian reads the
// clock anew until a round trip is short enough. How short is enough is known only afterwards, so the number is fixed
// here, and the shortest counts. Cost: 2 messages an exchange.
#include "offset/intersection.hpp"

namespace ictus {
namespace {

constexpr Parameter cristian_parameters[] = {
    offset::exchanges_parameter("round trips, of which the shortest counts"),
};

class Cristian final : public OffsetEstimator {
public:
    explicit Cristian(const Bound& bound) : exchanges_(bound.count("exchanges")) {}

    OffsetSample measure(Transport& transport, const Meeting& meeting) override {
        if (meeting.role == Role::reference) {
            offset::serve(transport, meeting.peer);
            return {};
        }
        offset::Intersection proven;
        offset::ping_each(transport, meeting.peer, exchanges_, [&](const auto& exchange) { proven.add(exchange); });
        return proven.sample(proven.quickest().at(), proven.quickest().middle());
    }

private:
    std::uint64_t exchanges_;
};

} // namespace

namespace offset {
extern const OffsetMember cristian;
const OffsetMember cristian = {
    {"cristian", "the exchange with the shortest round trip", "Cristian 1989", cristian_parameters},
    [](const Bound& bound) -> std::unique_ptr<OffsetEstimator> { return std::make_unique<Cristian>(bound); }};
} // namespace offset

} // namespace ictus
