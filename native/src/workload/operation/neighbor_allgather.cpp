// MPI_Neighbor_allgather: every rank ends with one block of each of its in-neighbours.
#include "workload/operation/neighbour.hpp"

ICTUS_FORMS(NeighborAllgatherCalls, MPI_Neighbor_allgather, MPI_Ineighbor_allgather, MPI_Neighbor_allgather_init);

namespace ictus::operation {
namespace {

class NeighborAllgather : public Neighbour {
public:
    NeighborAllgather(const OperationMember& member, const Bound& bound, const CallSite& site)
        : Neighbour(member, bound, site, SentBlocks::same_to_all) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), count<Count>(), type(), receive(), count<Count>(), type(), comm());
    }
};

} // namespace

extern constinit const Forms neighbor_allgather = forms<NeighborAllgather, NeighborAllgatherCalls>({
    .summary = "one block from every rank, the same to all its neighbours",
    .volume = Volume::blocks,
    .since = "3.0",
    .parameters = topology_parameters,
    .n_blocks = neighbour_blocks,
});

} // namespace ictus::operation
