// `hosts(count)`: the first rank of each of the first `count` hosts. All other ranks take no part.
#include "workload/communicator/communicator.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace ictus {
namespace {

constexpr Parameter hosts_parameters[] = {
    {.name = "count",
     .type = Parameter::Type::count,
     .default_value = "2",
     .help = "hosts, and so ranks",
     .minimum = 1,
     .maximum = 1e7},
};

class HostsChoice final : public CommunicatorChoice {
public:
    explicit HostsChoice(std::uint64_t count) : count_(static_cast<std::size_t>(count)) {}

    [[nodiscard]] std::vector<std::vector<int>> groups(std::span<const Place> places) const override {
        std::vector<int> first;
        std::vector<int> seen;
        for (std::size_t rank = 0; rank < places.size(); ++rank) {
            if (std::find(seen.begin(), seen.end(), places[rank].host) == seen.end()) {
                seen.push_back(places[rank].host);
                first.push_back(static_cast<int>(rank));
            }
        }
        if (first.size() < count_) {
            throw usage_error("communicator 'hosts', parameter 'count': " + std::to_string(count_) +
                              " hosts were asked for, and this launch runs on " + std::to_string(first.size()));
        }
        first.resize(count_);
        return {first};
    }
    [[nodiscard]] int size(int n_ranks) const override {
        return static_cast<int>(count_) <= n_ranks ? static_cast<int>(count_) : 0;
    }

private:
    std::size_t count_;
};

} // namespace

namespace communicator {
extern const CommunicatorMember hosts;
const CommunicatorMember hosts = {
    {{"hosts", "one rank of each host", "", hosts_parameters},
     [](const Bound& bound) -> std::unique_ptr<CommunicatorChoice> {
         return std::make_unique<HostsChoice>(bound.count("count"));
     }},
    "count",
};
} // namespace communicator

} // namespace ictus
