// What the neighbourhood collectives share that are told the size and place of each block.
#pragma once

#include "workload/operation/block_arrays.hpp"
#include "workload/operation/neighbour.hpp"

namespace ictus::operation {

/// Refuses places beyond an int where the call is the one for ints, of blocks as large as the largest of `n_shares`.
const CallSite& placed_by_ints(const OperationMember& member, const Bound& bound, const CallSite& site, int n_shares);

class VariedNeighbour : public Neighbour {
protected:
    VariedNeighbour(const OperationMember& member, const Bound& bound, const CallSite& site, Sent sent)
        : Neighbour(member, bound, placed_by_ints(member, bound, site, n_shares(bound, site, sent)), sent),
          send_arrays_(this->sent(), has_large_counts()), receive_arrays_(received(), has_large_counts()) {}

    [[nodiscard]] const BlockArrays& send_arrays() const { return send_arrays_; }
    [[nodiscard]] const BlockArrays& receive_arrays() const { return receive_arrays_; }

private:
    static int n_shares(const Bound& bound, const CallSite& site, Sent sent) {
        return sent == Sent::same_to_all ? site.n_ranks : neighbour_blocks(bound, site.n_ranks);
    }

    BlockArrays send_arrays_;
    BlockArrays receive_arrays_;
};

} // namespace ictus::operation
