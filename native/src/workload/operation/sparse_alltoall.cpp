// Every rank sends a separate block to each neighbour on a torus, by point-to-point messages that a schedule of
// neighbourhood/sparse_schedule combines: an alternative to MPI_Neighbor_alltoall.
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
