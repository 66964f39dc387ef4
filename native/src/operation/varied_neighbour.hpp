// What the neighbourhood collectives share that are told the size and place of each block.
#pragma once

#include "operation/block_arrays.hpp"
#include "operation/neighbour.hpp"

namespace ictus::operation {

/// Refuses places beyond an int where no block is, so that the call is the one for ints.
const CallSite& placed_by_ints(const OperationMember& member, const Bound& bound, const CallSite& site);

class VariedNeighbour : public Neighbour {
protected:
    VariedNeighbour(const OperationMember& member, const Bound& bound, const CallSite& site, Sent sent)
        : Neighbour(member, bound, placed_by_ints(member, bound, site), sent),
          send_arrays_(this->sent(), has_large_counts()), receive_arrays_(received(), has_large_counts()) {}

    [[nodiscard]] const BlockArrays& send_arrays() const { return send_arrays_; }
    [[nodiscard]] const BlockArrays& receive_arrays() const { return receive_arrays_; }

private:
    BlockArrays send_arrays_;
    BlockArrays receive_arrays_;
};

} // namespace ictus::operation
