// GL12: rank 0 receives the reduction and broadcasts it.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class AllreduceAsReduceAndBcast final : public Mockup {
public:
    AllreduceAsReduceAndBcast(const OperationMember& member, const CallSite& site)
        : Mockup(member, site, {one_block(site), one_block(site)}) {}

    int call() override {
        // In place, MPI_Reduce's root alone says so.
        const int code = rank() == 0 ? MPI_Reduce(send(), receive(), count(), type(), reduction(), 0, comm())
                                     : MPI_Reduce(own(), nullptr, count(), type(), reduction(), 0, comm());
        return code == MPI_SUCCESS ? MPI_Bcast(receive(), count(), type(), 0, comm()) : code;
    }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(n_ranks()); }
};

} // namespace

extern constinit const OperationMember allreduce_as_reduce_and_bcast = mockup<AllreduceAsReduceAndBcast>({
    .name = "allreduce_as_reduce_and_bcast",
    .summary = "reduce at rank 0, then broadcast",
    .mockup_of = "allreduce",
    .guideline = "GL12",
    .volume = Volume::message,
    .reduces = true,
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
