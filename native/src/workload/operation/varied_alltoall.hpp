// The data of MPI_Alltoallv and MPI_Alltoallw: rank r sends block d of `counts` to rank (r + d) mod p. So every rank
// sends and receives the whole volume n.
#pragma once

#include "workload/operation/block_arrays.hpp"
#include "workload/operation/collective.hpp"

namespace ictus::operation {

class VariedAlltoall : public Collective {
protected:
    /// An element has `per_element` displacement units.
    VariedAlltoall(const OperationMember& member, const CallSite& site, std::size_t per_element)
        : VariedAlltoall(member, site, varied_blocks(site), per_element) {}

    [[nodiscard]] const BlockArrays& send_arrays() const { return send_arrays_; }
    [[nodiscard]] const BlockArrays& receive_arrays() const { return receive_arrays_; }

private:
    VariedAlltoall(const OperationMember& member, const CallSite& site, const Partition& by_distance,
                   std::size_t per_element)
        : Collective(member, site,
                     {.sent = sent_to_all(by_distance, member, site), .received = from_all(by_distance, site)}),
          by_distance_(by_distance), send_arrays_(sent(), has_large_counts(), per_element),
          receive_arrays_(received(), has_large_counts(), per_element) {}

    /// In place, the block to a rank lies where the block from it arrives: both must have the same size.
    [[nodiscard]] static Partition sent_to_all(const Partition& by_distance, const OperationMember& member,
                                               const CallSite& site) {
        for (int distance = 1; distance < site.n_ranks; ++distance) {
            if (site.in_place && by_distance.count(distance) != by_distance.count(site.n_ranks - distance)) {
                throw usage_error(std::string(member.mpi_name) +
                                  " in place: two ranks must send each other blocks of " +
                                  "one size, and these counts differ in direction; use counts equal");
            }
        }
        return by_distance.rotated(site.rank);
    }

    /// The block from rank s is block (r - s) mod p.
    [[nodiscard]] static Partition from_all(const Partition& by_distance, const CallSite& site) {
        const int n = site.n_ranks;
        std::vector<std::uint64_t> counts;
        counts.reserve(static_cast<std::size_t>(n));
        for (int s = 0; s < n; ++s) {
            counts.push_back(by_distance.count((site.rank - s + n) % n));
        }
        return Partition(std::move(counts));
    }

    [[nodiscard]] BlockSource block_source(int block) const override {
        return BlockSource::rank(block, by_distance_.first_rotated(block, rank()));
    }

    Partition by_distance_;
    BlockArrays send_arrays_;
    BlockArrays receive_arrays_;
};

} // namespace ictus::operation
