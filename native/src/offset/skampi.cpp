// `skampi`: intersect what every exchange proves, on both sides, and take the middle. Worsch, Reussner, Augustin 2002;
// algorithm 7 of "MPI benchmarking revisited", whose second branch takes a stamp that was received before its own
// reading for one that was made after it, and so shifts an end by a whole latency. Here each stamp bounds only the
// stamps that a message orders with it (intersection.hpp, also for why the client's stamps suffice). Cost: 2 messages
// an exchange.
#include "offset/intersection.hpp"

namespace ictus {
namespace {

constexpr Parameter skampi_parameters[] = {
    offset::exchanges_parameter("round trips to intersect"),
};

class Skampi final : public OffsetEstimator {
public:
    explicit Skampi(const Bound& bound) : exchanges_(bound.count("exchanges")) {}

    OffsetSample measure(Transport& transport, const Meeting& meeting) override {
        if (meeting.role == Role::reference) {
            offset::serve(transport, meeting.peer);
            return {};
        }
        offset::Intersection proven;
        offset::ping_each(transport, meeting.peer, exchanges_, [&](const auto& exchange) { proven.add(exchange); });
        return proven.sample(proven.at(), proven.middle());
    }

private:
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
