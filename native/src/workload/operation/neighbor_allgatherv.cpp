// MPI_Neighbor_allgatherv: as MPI_Neighbor_allgather, but with a size and displacement for each block, in elements.
// Each rank sends its share of the volume of all ranks.
#include "workload/operation/neighbour.hpp"

ICTUS_FORMS(NeighborAllgathervCalls, MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, MPI_Neighbor_allgatherv_init);

namespace ictus::operation {
namespace {

class NeighborAllgatherv : public VariedNeighbour {
public:
    NeighborAllgatherv(const OperationMember& member, const Bound& bound, const CallSite& site)
        : VariedNeighbour(member, bound, site, SentBlocks::same_to_all) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), static_cast<Count>(sent().total()), type(), receive(), receive_arrays().counts<Count>(),
                    receive_arrays().displacements<Count>(), type(), comm());
    }
};

} // namespace

extern constinit const Forms neighbor_allgatherv = forms<NeighborAllgatherv, NeighborAllgathervCalls>({
    .summary = "as neighbor_allgather, with a size and displacement for each block",
    .volume = Volume::blocks,
    .varied = true,
    .since = "3.0",
    .parameters = topology_parameters,
    .n_blocks = neighbour_blocks,
});

} // namespace ictus::operation
