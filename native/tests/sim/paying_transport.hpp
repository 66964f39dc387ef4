// A transport of a rank that pays for what it allocates itself, and not for what the simulated world does meanwhile.
#pragma once

#include "heap_count.hpp"
#include "transport/transport.hpp"

namespace simulation {

/// While it lives, `payer` pays.
class Paying {
public:
    explicit Paying(heap_count::Account* payer) : before_(heap_count::payer) { heap_count::payer = payer; }
    ~Paying() { heap_count::payer = before_; }
    Paying(const Paying&) = delete;
    Paying& operator=(const Paying&) = delete;

private:
    heap_count::Account* before_;
};

class PayingTransport final : public ictus::Transport {
public:
    explicit PayingTransport(ictus::Transport& base) : base_(base) {}

    [[nodiscard]] int rank() const override { return base_.rank(); }
    [[nodiscard]] int size() const override { return base_.size(); }
    [[nodiscard]] std::span<const ictus::RankLocation> locations() const override { return base_.locations(); }
    void send(int to, std::span<const std::byte> message) override {
        const Paying nobody(nullptr);
        base_.send(to, message);
    }
    void receive(int from, std::span<std::byte> message) override {
        const Paying nobody(nullptr);
        base_.receive(from, message);
    }
    void poll(int from, std::span<std::byte> message) override {
        const Paying nobody(nullptr);
        base_.poll(from, message);
    }
    void exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override {
        const Paying nobody(nullptr);
        base_.exchange(to, out, from, in);
    }
    void exchange_all(std::span<const ictus::MessagePair> all) override {
        const Paying nobody(nullptr);
        base_.exchange_all(all);
    }
    [[nodiscard]] ictus::LocalTime now() override {
        const Paying nobody(nullptr);
        return base_.now();
    }
    void wait_until(ictus::LocalTime instant) override {
        const Paying nobody(nullptr);
        base_.wait_until(instant);
    }
    void library_barrier() override {
        const Paying nobody(nullptr);
        base_.library_barrier();
    }
    [[nodiscard]] std::uint64_t messages_sent() const override { return base_.messages_sent(); }

private:
    ictus::Transport& base_;
};

} // namespace simulation
