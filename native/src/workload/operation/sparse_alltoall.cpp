// A block of its own from every rank to every neighbour on a torus, by point-to-point messages that the schedules of
// neighbourhood/sparse_schedule combine: what MPI_Neighbor_alltoall is compared with.
#include "workload/operation/sparse.hpp"

namespace ictus::operation {
namespace {

class SparseAlltoall final : public Sparse {
public:
    SparseAlltoall(const OperationMember& member, const Bound& bound, const CallSite& site)
        : Sparse(member, bound, site, SentBlocks::one_each) {}
};

} // namespace

extern constinit const OperationMember sparse_alltoall = composed<SparseAlltoall>(
    "sparse_alltoall", "MPI_Sendrecv",
    {
        .summary = "a block of its own to each neighbour on a torus, by point-to-point messages",
        .volume = Volume::blocks,
        .parameters = sparse_parameters,
        .n_blocks = sparse_blocks,
    });

} // namespace ictus::operation
