// MPI_Alltoallv: as MPI_Alltoall, but with a size and displacement for each block, in elements.
#include "workload/operation/varied_alltoall.hpp"

ICTUS_FORMS(AlltoallvCalls, MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init);

namespace ictus::operation {
namespace {

class Alltoallv : public VariedAlltoall {
public:
    Alltoallv(const OperationMember& member, const CallSite& site) : VariedAlltoall(member, site, 1) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), send_arrays().counts<Count>(), send_arrays().displacements<Count>(), type(), receive(),
                    receive_arrays().counts<Count>(), receive_arrays().displacements<Count>(), type(), comm());
    }
};

} // namespace

extern constinit const Forms alltoallv = forms<Alltoallv, AlltoallvCalls>({
    .summary = "a block from every rank to every rank, each of its own size",
    .volume = Volume::blocks,
    .varied = true,
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
