// Some of the ranks of another transport as a transport of their own: rank i here is ranks[i] there. So any group
// algorithm can run between the leaders of groups, or inside one group.
#pragma once

#include "transport/transport.hpp"

#include <vector>

namespace ictus {

class SubTransport final : public Transport {
public:
    /// `ranks` of the base, the same list on each of them; the first becomes the root. The caller must be one of them.
    /// Its messages travel between the same ranks as the base's own: both are used in turn, never at once.
    SubTransport(Transport& base, std::vector<int> ranks);

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return static_cast<int>(ranks_.size()); }
    [[nodiscard]] std::span<const RankLocation> locations() const override { return locations_; }
    [[nodiscard]] int world_rank(int rank) const override { return base_.world_rank(base_rank(rank)); }
    void send(int to, std::span<const std::byte> message) override { base_.send(base_rank(to), message); }
    void receive(int from, std::span<std::byte> message) override { base_.receive(base_rank(from), message); }
    void poll(int from, std::span<std::byte> message) override { base_.poll(base_rank(from), message); }
    void exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override {
        base_.exchange(base_rank(to), out, base_rank(from), in);
    }
    void exchange_all(std::span<const MessagePair> all) override;
    [[nodiscard]] LocalTime now() override { return base_.now(); }
    void wait_until(LocalTime instant) override { base_.wait_until(instant); }
    /// Throws: the library's barrier is one of all ranks.
    void library_barrier() override;
    [[nodiscard]] std::uint64_t messages_sent() const override { return base_.messages_sent(); }

private:
    [[nodiscard]] int base_rank(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }

    Transport& base_;
    std::vector<int> ranks_;
    std::vector<RankLocation> locations_;
    int rank_;
};

} // namespace ictus
