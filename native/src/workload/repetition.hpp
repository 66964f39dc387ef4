// Family repetition: when a case has enough samples.
#pragma once

#include "base/registry.hpp"

#include <cstdint>
#include <span>

namespace ictus {

/// The samples of a case so far. The counts are the same on all ranks.
struct SampleProgress {
    std::uint64_t attempted = 0;
    std::uint64_t valid = 0;
    double elapsed_s = 0.0; ///< since the first sample was begun, on the clock of the rank that asks
};

class Repetition {
public:
    virtual ~Repetition() = default;

    /// What the decision rests on. All ranks know the counts; only rank 0 knows time and latencies, and then decides
    /// alone, so that all stop at the same count.
    enum class Evidence { counts, time, latencies };
    [[nodiscard]] virtual Evidence evidence() const { return Evidence::counts; }

    /// How many more samples to take; 0 ends the case.
    [[nodiscard]] virtual std::uint64_t next_batch(const SampleProgress& progress) const = 0;
    /// For Evidence::latencies, after each batch: those of its valid samples in the order measured, seconds.
    virtual void take(std::span<const double> latencies) { (void)latencies; }
};

using RepetitionMember = Member<Repetition>;

namespace repetition {

[[nodiscard]] const Registry<Repetition>& registry();
[[nodiscard]] const FamilyInfo& family();

/// By default: the limit of samples, invalid ones included, for each required sample.
inline constexpr std::uint64_t attempts_per_sample = 3;

} // namespace repetition

} // namespace ictus
