// What the repetitions that look at latencies have in common: after min, min + step, ... valid samples, and at max,
// they ask whether that is enough. Taken are whole steps, so that ranks talk to each other between batches only.
#pragma once

#include "workload/repetition/repetition.hpp"

namespace ictus::repetition {

class Checkpoints {
public:
    /// Parameters `min`, `max`, `step` and `max_attempts`. Throws a usage Error if they contradict each other.
    explicit Checkpoints(const Bound& bound);

    /// Whether so many valid samples are to be judged.
    [[nodiscard]] bool is_at(std::uint64_t valid) const;
    /// Samples to the next such number; 0 at the end of all.
    [[nodiscard]] std::uint64_t next_batch(const Standing& standing) const;

private:
    std::uint64_t min_;
    std::uint64_t max_;
    std::uint64_t step_;
    std::uint64_t max_attempts_;
};

/// Ends at the first checkpoint at which its latencies are enough.
class LooksAtLatencies : public Repetition {
public:
    explicit LooksAtLatencies(const Bound& bound) : checkpoints_(bound) {}

    [[nodiscard]] Evidence evidence() const final { return Evidence::latencies; }
    [[nodiscard]] std::uint64_t next_batch(const Standing& standing) const final;
    void take(std::span<const double> latencies) final;

protected:
    virtual void add(double latency_s) = 0;
    /// Whether the latencies added so far are enough.
    [[nodiscard]] virtual bool is_enough() const = 0;

private:
    Checkpoints checkpoints_;
    std::uint64_t taken_ = 0;
    bool has_enough_ = false;
};

inline constexpr Parameter step_parameter = {.name = "step",
                                             .type = Parameter::Type::count,
                                             .default_value = "10",
                                             .help = "valid samples from one look at the latencies to the next",
                                             .minimum = 1,
                                             .maximum = 1e6};
inline constexpr Parameter max_parameter = {.name = "max",
                                            .type = Parameter::Type::count,
                                            .default_value = "1000",
                                            .help = "valid samples at which it ends in any case",
                                            .minimum = 2,
                                            .maximum = 1e6};
inline constexpr Parameter max_attempts_parameter = {.name = "max_attempts",
                                                     .type = Parameter::Type::count,
                                                     .default_value = "auto",
                                                     .help =
                                                         "samples taken at most, invalid ones included; auto: 3 max",
                                                     .minimum = 1,
                                                     .maximum = 3e7,
                                                     .allows_auto = true};

} // namespace ictus::repetition
