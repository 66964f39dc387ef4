// MPI_Neighbor_alltoallw: as MPI_Neighbor_alltoallv, but each block has its own datatype and displacements are
// addresses in bytes. Here all datatypes are the same.
#include "workload/operation/neighbour.hpp"

#include <algorithm>
#include <vector>

ICTUS_FORMS(NeighborAlltoallwCalls, MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, MPI_Neighbor_alltoallw_init);

namespace ictus::operation {
namespace {

/// The displacements in bytes of the blocks of a buffer.
std::vector<MPI_Aint> neighbour_places(const Partition& blocks, std::size_t unit_bytes) {
    std::vector<MPI_Aint> displacements;
    displacements.reserve(1); // as in BlockArrays
    for (int block = 0; block < blocks.n_blocks(); ++block) {
        displacements.push_back(static_cast<MPI_Aint>(blocks.first(block) * unit_bytes));
    }
    return displacements;
}

class NeighborAlltoallw : public VariedNeighbour {
public:
    NeighborAlltoallw(const OperationMember& member, const Bound& bound, const CallSite& site)
        : VariedNeighbour(member, bound, site, SentBlocks::one_each),
          send_places_(neighbour_places(sent(), unit_bytes(site))),
          receive_places_(neighbour_places(received(), unit_bytes(site))),
          types_(std::max<std::size_t>({1, send_places_.size(), receive_places_.size()}), type()) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), send_arrays().counts<Count>(), send_places_.data(), types_.data(), receive(),
                    receive_arrays().counts<Count>(), receive_places_.data(), types_.data(), comm());
    }

private:
    std::vector<MPI_Aint> send_places_;
    std::vector<MPI_Aint> receive_places_;
    std::vector<MPI_Datatype> types_; // of both buffers
};

} // namespace

extern constinit const Forms neighbor_alltoallw = forms<NeighborAlltoallw, NeighborAlltoallwCalls>({
    .summary = "as neighbor_alltoallv, with a datatype for each block as well",
    .volume = Volume::blocks,
    .varied = true,
    .since = "3.0",
    .parameters = topology_parameters,
    .n_blocks = neighbour_blocks,
});

} // namespace ictus::operation
