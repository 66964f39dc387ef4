// MPI_Neighbor_alltoall: every rank ends with its own block from each of its in-neighbours.
#include "workload/operation/neighbour.hpp"

ICTUS_FORMS(NeighborAlltoallCalls, MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, MPI_Neighbor_alltoall_init);

namespace ictus::operation {
namespace {

class NeighborAlltoall : public Neighbour {
public:
    NeighborAlltoall(const OperationMember& member, const Bound& bound, const CallSite& site)
        : Neighbour(member, bound, site, SentBlocks::one_each) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), count<Count>(), type(), receive(), count<Count>(), type(), comm());
    }
};

} // namespace

extern constinit const Forms neighbor_alltoall = forms<NeighborAlltoall, NeighborAlltoallCalls>({
    .summary = "a block of its own from every rank to each of its neighbours",
    .volume = Volume::blocks,
    .since = "3.0",
    .parameters = topology_parameters,
    .n_blocks = neighbour_blocks,
});

} // namespace ictus::operation
