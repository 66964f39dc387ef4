// `world`: all ranks, as the launcher numbered them.
#include "workload/communicator/communicator.hpp"

#include <numeric>

namespace ictus {
namespace {

class WorldChoice final : public CommunicatorChoice {
public:
    [[nodiscard]] std::vector<std::vector<int>> groups(std::span<const Place> places) const override {
        std::vector<int> all(places.size());
        std::iota(all.begin(), all.end(), 0);
        return {all};
    }
    [[nodiscard]] int size(int n_ranks) const override { return n_ranks; }
};

} // namespace

namespace communicator {
extern const CommunicatorMember world;
const CommunicatorMember world = {
    {{"world", "all ranks", "", {}},
     [](const Bound&) -> std::unique_ptr<CommunicatorChoice> { return std::make_unique<WorldChoice>(); }},
    "all",
};
} // namespace communicator

} // namespace ictus
