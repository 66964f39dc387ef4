// `halves`: the first and the second half of the ranks, each a communicator of its own, both calling at the same time:
// what a collective costs while another one is under way. Of an odd number the last rank takes no part.
#include "workload/communicator/communicator.hpp"

#include "base/error.hpp"

#include <numeric>

namespace ictus {
namespace {

class HalvesChoice final : public CommunicatorChoice {
public:
    [[nodiscard]] std::vector<std::vector<int>> groups(std::span<const Place> places) const override {
        const int half = size(static_cast<int>(places.size()));
        if (half == 0) {
            throw usage_error("communicator 'halves' needs 2 ranks or more, and this launch has 1");
        }
        std::vector<std::vector<int>> both(2, std::vector<int>(static_cast<std::size_t>(half)));
        std::iota(both[0].begin(), both[0].end(), 0);
        std::iota(both[1].begin(), both[1].end(), half);
        return both;
    }
    [[nodiscard]] int size(int n_ranks) const override { return n_ranks / 2; }
};

} // namespace

namespace communicator {
extern const CommunicatorMember halves;
const CommunicatorMember halves = {
    {{"halves", "both halves of the ranks, each for itself, at the same time", "", {}},
     [](const Bound&) -> std::unique_ptr<CommunicatorChoice> { return std::make_unique<HalvesChoice>(); }},
    "half",
};
} // namespace communicator

} // namespace ictus
