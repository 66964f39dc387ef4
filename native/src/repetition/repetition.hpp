// Family repetition: when a case has enough samples.
#pragma once

#include "core/registry.hpp"

#include <cstdint>

namespace ictus {

class Repetition {
public:
    virtual ~Repetition() = default;
    /// How many more samples to take, knowing what there is; 0 ends the case. Every rank asks with the same numbers.
    [[nodiscard]] virtual std::uint64_t next_batch(std::uint64_t attempted, std::uint64_t valid) const = 0;
};

using RepetitionMember = Member<Repetition>;

namespace repetition {
[[nodiscard]] const Registry<Repetition>& registry();
[[nodiscard]] const FamilyInfo& family();
} // namespace repetition

} // namespace ictus
