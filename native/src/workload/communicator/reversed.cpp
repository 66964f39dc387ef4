// `reversed`: all ranks, the last one first. What an algorithm owes to neighbours in rank being neighbours on the
// machine, or to the root being on the first host, shows against `world`.
#include "workload/communicator/communicator.hpp"

#include <numeric>

namespace ictus {
namespace {

class ReversedChoice final : public CommunicatorChoice {
public:
    [[nodiscard]] std::vector<std::vector<int>> groups(std::span<const Place> places) const override {
        std::vector<int> all(places.size());
        std::iota(all.rbegin(), all.rend(), 0);
        return {all};
    }
    [[nodiscard]] int size(int n_ranks) const override { return n_ranks; }
};

} // namespace

namespace communicator {
extern const CommunicatorMember reversed;
const CommunicatorMember reversed = {
    {{"reversed", "all ranks in reversed order", "", {}},
     [](const Bound&) -> std::unique_ptr<CommunicatorChoice> { return std::make_unique<ReversedChoice>(); }},
    "all",
};
} // namespace communicator

} // namespace ictus
