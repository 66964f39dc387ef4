// One block from every rank, the same to all its neighbours on a torus, by point-to-point messages that the schedules
// of neighbourhood/sparse_schedule combine: what MPI_Neighbor_allgather is compared with.
#include "workload/operation/sparse.hpp"

namespace ictus::operation {
namespace {

class SparseAllgather final : public Sparse {
public:
    SparseAllgather(const OperationMember& member, const Bound& bound, const CallSite& site)
        : Sparse(member, bound, site, SentBlocks::same_to_all) {}
};

} // namespace

extern constinit const OperationMember sparse_allgather =
    composed<SparseAllgather>("sparse_allgather", "MPI_Sendrecv",
                              {
                                  .summary = "one block to all neighbours on a torus, by point-to-point messages",
                                  .volume = Volume::blocks,
                                  .parameters = sparse_parameters,
                                  .n_blocks = sparse_blocks,
                              });

} // namespace ictus::operation
