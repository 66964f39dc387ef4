// A real transport on a rank that is suspended once, in the middle of what it does.
#pragma once

#include "transport/transport.hpp"

#include <ctime>

namespace ictus {

class SuspendedTransport final : public Transport {
public:
    /// Sleeps 50 ms when `rank` has received `after` messages.
    SuspendedTransport(Transport& base, int rank, int after) : base_(base), left_(base.rank() == rank ? after : -1) {}

    [[nodiscard]] int rank() const override { return base_.rank(); }
    [[nodiscard]] int size() const override { return base_.size(); }
    [[nodiscard]] std::span<const RankLocation> locations() const override { return base_.locations(); }
    [[nodiscard]] int world_rank(int rank) const override { return base_.world_rank(rank); }
    void send(int to, std::span<const std::byte> message) override { base_.send(to, message); }
    void receive(int from, std::span<std::byte> message) override {
        base_.receive(from, message);
        left_ -= left_ > 0 ? 1 : 0;
        if (left_ == 0 && !suspended_) {
            const std::timespec pause{0, 50'000'000};
            nanosleep(&pause, nullptr);
            suspended_ = true;
        }
    }
    void exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override {
        base_.exchange(to, out, from, in);
    }
    [[nodiscard]] LocalTime now() override { return base_.now(); }
    void wait_until(LocalTime instant) override { base_.wait_until(instant); }
    void library_barrier() override { base_.library_barrier(); }
    [[nodiscard]] std::uint64_t messages_sent() const override { return base_.messages_sent(); }
    [[nodiscard]] bool suspended() const { return suspended_; }

private:
    Transport& base_;
    int left_;
    bool suspended_ = false;
};

} // namespace ictus
