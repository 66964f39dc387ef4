// MPI_Neighbor_alltoallv: as MPI_Neighbor_alltoall, but with a size and displacement for each block, in elements.
#include "workload/operation/neighbour.hpp"

ICTUS_FORMS(NeighborAlltoallvCalls, MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, MPI_Neighbor_alltoallv_init);

namespace ictus::operation {
namespace {

class NeighborAlltoallv : public VariedNeighbour {
public:
    NeighborAlltoallv(const OperationMember& member, const Bound& bound, const CallSite& site)
        : VariedNeighbour(member, bound, site, SentBlocks::one_each) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), send_arrays().counts<Count>(), send_arrays().displacements<Count>(), type(), receive(),
                    receive_arrays().counts<Count>(), receive_arrays().displacements<Count>(), type(), comm());
    }
};

} // namespace

extern constinit const Forms neighbor_alltoallv = forms<NeighborAlltoallv, NeighborAlltoallvCalls>({
    .summary = "as neighbor_alltoall, with a size and displacement for each block",
    .volume = Volume::blocks,
    .varied = true,
    .since = "3.0",
    .parameters = topology_parameters,
    .n_blocks = neighbour_blocks,
});

} // namespace ictus::operation
