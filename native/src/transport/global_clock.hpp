// A rank's clock, converted by a model: as the global time, and as the clock of a transport.
#pragma once

#include "clockmath/clock_model.hpp"
#include "transport/transport.hpp"

namespace ictus {

/// The global time of one rank. Each synchronisation replaces the model.
class GlobalClock {
public:
    explicit GlobalClock(Transport& transport) : transport_(transport) {}

    void set_model(const ClockModel& model) { model_ = model; }
    [[nodiscard]] const ClockModel& model() const { return model_; }

    [[nodiscard]] GlobalTime now() { return to_global(transport_.now()); }
    [[nodiscard]] GlobalTime to_global(LocalTime local) const { return model_.to_global(local); }
    void wait_until(GlobalTime instant) { transport_.wait_until(model_.to_local(instant)); }
    /// The same of an instant that was announced `ahead_s` before. Throws a measurement Error where it is further away
    /// than that and `stray_s`: no rank would ever come to the start that a clock learnt so wrongly shows.
    void wait_for_start(GlobalTime instant, double ahead_s);
    static constexpr double stray_s = 1.0; ///< a million times what a synchronised clock errs by

private:
    Transport& transport_;
    ClockModel model_;
};

/// A transport whose clock is another one's, converted by a model: so HCA3's inner ranks answer with the root's time.
class ModelledTransport final : public Transport {
public:
    ModelledTransport(Transport& base, const ClockModel& model) : base_(base), model_(model) {}

    [[nodiscard]] int rank() const override { return base_.rank(); }
    [[nodiscard]] int size() const override { return base_.size(); }
    [[nodiscard]] std::span<const RankLocation> locations() const override { return base_.locations(); }
    [[nodiscard]] int world_rank(int rank) const override { return base_.world_rank(rank); }
    void send(int to, std::span<const std::byte> message) override { base_.send(to, message); }
    void receive(int from, std::span<std::byte> message) override { base_.receive(from, message); }
    void poll(int from, std::span<std::byte> message) override { base_.poll(from, message); }
    void exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override {
        base_.exchange(to, out, from, in);
    }
    void exchange_all(std::span<const MessagePair> all) override { base_.exchange_all(all); }
    void library_barrier() override { base_.library_barrier(); }
    [[nodiscard]] std::uint64_t messages_sent() const override { return base_.messages_sent(); }

    /// The base's time at which this transport showed `shown` as its own.
    [[nodiscard]] LocalTime to_base(LocalTime shown) const { return model_.to_local(as_reference(shown)); }

private:
    // Private: who reads the base's clock as well cannot read this one by mistake. An algorithm, which is given a
    // Transport, knows no other clock.
    [[nodiscard]] LocalTime now() override { return as_own(model_.to_reference(base_.now())); }
    void wait_until(LocalTime instant) override { base_.wait_until(to_base(instant)); }

    Transport& base_;
    ClockModel model_;
};

} // namespace ictus
