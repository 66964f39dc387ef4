// Every rank sends one block to all its neighbours on a torus, by point-to-point messages that a schedule of
// neighbourhood/sparse_schedule combines: an alternative to MPI_Neighbor_allgather.
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
