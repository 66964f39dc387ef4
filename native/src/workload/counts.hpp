// Family counts: how the volume of an operation is divided among blocks of different sizes. No MPI here.
#pragma once

#include "base/registry.hpp"

#include <cstdint>
#include <vector>

namespace ictus {

class CountDistribution {
public:
    virtual ~CountDistribution() = default;
    /// One for each of `n_blocks` blocks, at most 2^16, as `apportion` takes them; none at all: every block the same.
    [[nodiscard]] virtual std::vector<std::uint32_t> weights(int n_blocks) const = 0;
};

using CountMember = Member<CountDistribution>;

namespace counts {

[[nodiscard]] const Registry<CountDistribution>& registry();
[[nodiscard]] const FamilyInfo& family();

} // namespace counts

} // namespace ictus
