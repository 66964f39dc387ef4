// Family pattern: when each rank arrives, where ranks do not arrive together.
#pragma once

#include "base/registry.hpp"

#include <cstdint>

namespace ictus {

class Pattern {
public:
    virtual ~Pattern() = default;
    /// When `rank` arrives in this repetition: 0 with the first, 1 at the latest.
    [[nodiscard]] virtual double share(int rank, int n_ranks, std::uint64_t repetition) const = 0;
};

/// Made for a number of ranks.
using PatternMember = Member<Pattern, int>;

namespace pattern {

[[nodiscard]] const Registry<Pattern, int>& registry();
[[nodiscard]] const FamilyInfo& family();

} // namespace pattern

} // namespace ictus
