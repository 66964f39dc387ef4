// The members of family `comm`.
#include "workload/communicator.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <numeric>

namespace ictus {
namespace {

// `world`: all ranks, as the launcher numbered them.
class WorldChoice final : public CommunicatorChoice {
public:
    [[nodiscard]] std::vector<std::vector<int>> groups(std::span<const RankLocation> locations) const override {
        std::vector<int> all(locations.size());
        std::iota(all.begin(), all.end(), 0);
        return {all};
    }
    [[nodiscard]] int size(int n_ranks) const override { return n_ranks; }
};

// `halves`: the first and the second half of the ranks, each a communicator of its own, both calling at the same time:
// what a collective costs while another one is under way. Of an odd number the last rank takes no part.
class HalvesChoice final : public CommunicatorChoice {
public:
    [[nodiscard]] std::vector<std::vector<int>> groups(std::span<const RankLocation> locations) const override {
        const int half = size(static_cast<int>(locations.size()));
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

// `hosts(count)`: the first rank of each of the first `count` hosts. All other ranks take no part.
constexpr Parameter hosts_parameters[] = {
    {.name = "count",
     .type = Parameter::Type::count,
     .default_value = "2",
     .help = "number of hosts, which is also the number of ranks",
     .minimum = 1,
     .maximum = 1e7},
};

class HostsChoice final : public CommunicatorChoice {
public:
    explicit HostsChoice(std::uint64_t count) : count_(static_cast<std::size_t>(count)) {}

    [[nodiscard]] std::vector<std::vector<int>> groups(std::span<const RankLocation> locations) const override {
        std::vector<int> first;
        std::vector<int> seen;
        for (std::size_t rank = 0; rank < locations.size(); ++rank) {
            if (std::find(seen.begin(), seen.end(), locations[rank].host) == seen.end()) {
                seen.push_back(locations[rank].host);
                first.push_back(static_cast<int>(rank));
            }
        }
        if (first.size() < count_) {
            throw usage_error("communicator 'hosts', parameter 'count': " + std::to_string(count_) +
                              " hosts were requested, and this launch runs on " + std::to_string(first.size()));
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

// `first(count)`: the first `count` ranks, as the launcher numbered them; all other ranks wait meanwhile. Several of
// them in one launch show how a latency grows with the number of processes, without differences between launches.
constexpr Parameter first_parameters[] = {
    {.name = "count",
     .type = Parameter::Type::count,
     .default_value = "2",
     .help = "ranks",
     .minimum = 1,
     .maximum = 1e7},
};

class FirstChoice final : public CommunicatorChoice {
public:
    explicit FirstChoice(std::uint64_t count) : count_(static_cast<int>(count)) {}

    [[nodiscard]] std::vector<std::vector<int>> groups(std::span<const RankLocation> locations) const override {
        if (size(static_cast<int>(locations.size())) == 0) {
            throw usage_error("communicator 'first', parameter 'count': " + std::to_string(count_) +
                              " ranks were requested, and this launch has " + std::to_string(locations.size()));
        }
        std::vector<int> ranks(static_cast<std::size_t>(count_));
        std::iota(ranks.begin(), ranks.end(), 0);
        return {ranks};
    }
    [[nodiscard]] int size(int n_ranks) const override { return count_ <= n_ranks ? count_ : 0; }

private:
    int count_;
};

// `reversed`: all ranks, the last one first. The difference to `world` shows how far an algorithm depends on
// neighbouring ranks being neighbours on the machine, or on the root being on the first host.
class ReversedChoice final : public CommunicatorChoice {
public:
    [[nodiscard]] std::vector<std::vector<int>> groups(std::span<const RankLocation> locations) const override {
        std::vector<int> all(locations.size());
        std::iota(all.rbegin(), all.rend(), 0);
        return {all};
    }
    [[nodiscard]] int size(int n_ranks) const override { return n_ranks; }
};

} // namespace

namespace communicator {
namespace {

const CommunicatorMember world = {
    {{"world", "all ranks", "", {}},
     [](const Bound&) -> std::unique_ptr<CommunicatorChoice> { return std::make_unique<WorldChoice>(); }},
    "all",
};

const CommunicatorMember halves = {
    {{"halves", "both halves of the ranks, each half by itself, at the same time", "", {}},
     [](const Bound&) -> std::unique_ptr<CommunicatorChoice> { return std::make_unique<HalvesChoice>(); }},
    "half",
};

const CommunicatorMember hosts = {
    {{"hosts", "one rank of each host", "", hosts_parameters},
     [](const Bound& bound) -> std::unique_ptr<CommunicatorChoice> {
         return std::make_unique<HostsChoice>(bound.count("count"));
     }},
    "count",
};

const CommunicatorMember first = {
    {{"first", "the first ranks", "", first_parameters},
     [](const Bound& bound) -> std::unique_ptr<CommunicatorChoice> {
         return std::make_unique<FirstChoice>(bound.count("count"));
     }},
    "count",
};

const CommunicatorMember reversed = {
    {{"reversed", "all ranks in reversed order", "", {}},
     [](const Bound&) -> std::unique_ptr<CommunicatorChoice> { return std::make_unique<ReversedChoice>(); }},
    "all",
};

} // namespace

const Registry<CommunicatorChoice>& registry() {
    static const Registry<CommunicatorChoice> all{
        "comm", "which ranks of a launch call together", {&world, &halves, &hosts, &first, &reversed}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

// Every member of this family is a CommunicatorMember.
const CommunicatorMember& traits(std::string_view name) {
    return static_cast<const CommunicatorMember&>(family().find(name));
}

int size_of(const Bound& choice, int n_ranks) {
    const int size = registry().make(choice)->size(n_ranks);
    if (size == 0) {
        throw usage_error("communicator '" + to_string(choice.spec()) + "' needs more ranks than the " +
                          std::to_string(n_ranks) + " of this launch");
    }
    return size;
}

} // namespace communicator

} // namespace ictus
