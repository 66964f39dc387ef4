// A transport on a rank that is held up at one point of MPIX_Harmonize, as if it had lost its core there.
#pragma once

#include "transport/transport.hpp"

#include <cmath>

namespace simulation {

class HeldTransport final : public ictus::Transport {
public:
    explicit HeldTransport(ictus::Transport& base) : base_(base) {}

    /// Holds this rank for so long between handing on the next message that is more than a byte of flags and looking at
    /// its clock.
    void hold_after_announcement(double seconds) {
        hold_s_ = seconds;
        announced_ = false;
    }
    /// Holds it so long after every announcement, which is what comes after its byte of flags.
    void hold_after_each_announcement(double seconds) { hold_each_s_ = seconds; }
    /// Returns from waiting so much too late.
    void oversleep(double seconds) { oversleep_s_ = seconds; }
    /// From now on this rank's clock shows so much less.
    void set_back(double seconds) { set_back_s_ += seconds; }
    /// From now on this rank's clock shows multiples of so much only.
    void coarsen(double step_s) { step_s_ = step_s; }

    [[nodiscard]] int rank() const override { return base_.rank(); }
    [[nodiscard]] int size() const override { return base_.size(); }
    [[nodiscard]] std::span<const ictus::RankLocation> locations() const override { return base_.locations(); }
    void send(int to, std::span<const std::byte> message) override {
        base_.send(to, message);
        flags_sent_ = message.size() == 1;
        announced_ = announced_ || message.size() > 1;
    }
    void receive(int from, std::span<std::byte> message) override {
        base_.receive(from, message);
        announced_ = announced_ || message.size() > 1;
        if (flags_sent_ && hold_each_s_ > 0.0) {
            hold_s_ = hold_each_s_;
        }
        flags_sent_ = false;
    }
    void exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override {
        base_.exchange(to, out, from, in);
    }
    [[nodiscard]] ictus::LocalTime now() override {
        if (announced_ && hold_s_ > 0.0) {
            base_.wait_until(base_.now() + hold_s_);
            hold_s_ = 0.0;
        }
        return shown(base_.now());
    }
    void wait_until(ictus::LocalTime instant) override {
        const double first_s = step_s_ > 0.0 ? std::ceil(instant.s / step_s_) * step_s_ : instant.s;
        base_.wait_until(ictus::LocalTime(first_s + set_back_s_ + oversleep_s_));
        oversleep_s_ = 0.0;
    }
    void library_barrier() override { base_.library_barrier(); }
    [[nodiscard]] std::uint64_t messages_sent() const override { return base_.messages_sent(); }

private:
    [[nodiscard]] ictus::LocalTime shown(ictus::LocalTime base) const {
        const double own_s = base.s - set_back_s_;
        return ictus::LocalTime(step_s_ > 0.0 ? std::floor(own_s / step_s_) * step_s_ : own_s);
    }

    ictus::Transport& base_;
    double hold_s_ = 0.0;
    bool announced_ = false;
    double oversleep_s_ = 0.0;
    double hold_each_s_ = 0.0;
    bool flags_sent_ = false;
    double set_back_s_ = 0.0;
    double step_s_ = 0.0;
};

} // namespace simulation
