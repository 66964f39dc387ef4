// Family comm: which ranks of a launch call an operation together.
//
// A member puts ranks into groups. Each group is one communicator, and all of them call the operation at the same time;
// a rank in no group takes no part. Groups are of equal size, so that all make the same call. Rank 0 of the launch,
// which records, is in one of them.
#pragma once

#include "base/registry.hpp"
#include "transport/transport.hpp"

#include <span>
#include <vector>

namespace ictus {

class CommunicatorChoice {
public:
    virtual ~CommunicatorChoice() = default;
    /// World ranks of each group, in the order of their ranks there. Alike on all ranks. Throws a usage Error where the
    /// launch has too few ranks.
    [[nodiscard]] virtual std::vector<std::vector<int>> groups(std::span<const RankLocation> locations) const = 0;
    /// Ranks of each group in a launch of `n_ranks`; 0 where there are too few.
    [[nodiscard]] virtual int size(int n_ranks) const = 0;
};

/// A member that also states, as text for `describe`, how `size` follows from the launch's ranks.
struct CommunicatorMember : Member<CommunicatorChoice> {
    std::string_view size_rule; ///< `all`, `half`, or the name of the parameter that says it
};

namespace communicator {

[[nodiscard]] const Registry<CommunicatorChoice>& registry();
[[nodiscard]] const FamilyInfo& family();
[[nodiscard]] const CommunicatorMember& traits(std::string_view name);
/// Ranks that call together in a launch of `n_ranks`. Throws a usage Error where there are too few.
[[nodiscard]] int size_of(const Bound& choice, int n_ranks);

} // namespace communicator

} // namespace ictus
