// `dissemination`: in round k every rank notifies the rank 2^k above it and waits for the rank 2^k below. After
// ceil(log2 p) rounds every rank depends on all others. Hensgen, Finkel, Manber 1988; called bruck elsewhere. p
// ceil(log2 p) messages.
#include "barrier/barrier.hpp"

namespace ictus {
namespace {

class Dissemination final : public OwnBarrier<Dissemination> {
public:
    void wait(Transport& transport) override {
        const int rank = transport.rank();
        const int size = transport.size();
        for (int distance = 1; distance < size; distance *= 2) {
            barrier::exchange_token(transport, (rank + distance) % size, (rank - distance + size) % size);
        }
    }
};

} // namespace

namespace barrier {
extern const BarrierMember dissemination;
const BarrierMember dissemination = {
    {"dissemination",
     "every rank notifies rank + 2^k in round k; ceil(log2 p) rounds",
     "Hensgen, Finkel, Manber 1988",
     {}},
    [](const Bound&) -> std::unique_ptr<Barrier> { return std::make_unique<Dissemination>(); }};
} // namespace barrier

} // namespace ictus
