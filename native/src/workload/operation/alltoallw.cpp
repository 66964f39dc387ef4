// MPI_Alltoallw: as MPI_Alltoallv, but each block has its own datatype and displacements are in bytes. Here all
// datatypes are the same.
#include "workload/operation/varied_alltoall.hpp"

#include <vector>

ICTUS_FORMS(AlltoallwCalls, MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init);

namespace ictus::operation {
namespace {

class Alltoallw : public VariedAlltoall {
public:
    Alltoallw(const OperationMember& member, const CallSite& site)
        : VariedAlltoall(member, site, unit_bytes(site)), types_(static_cast<std::size_t>(site.n_ranks), type()) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), send_arrays().counts<Count>(), send_arrays().displacements<Count>(), types_.data(),
                    receive(), receive_arrays().counts<Count>(), receive_arrays().displacements<Count>(), types_.data(),
                    comm());
    }

private:
    std::vector<MPI_Datatype> types_;
};

} // namespace

extern constinit const Forms alltoallw = forms<Alltoallw, AlltoallwCalls>({
    .summary = "a block from every rank to every rank, each of its own size and datatype",
    .volume = Volume::blocks,
    .varied = true,
    .places_in_bytes = true,
    .since = "2.0",
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
