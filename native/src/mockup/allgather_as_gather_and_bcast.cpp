// GL11: rank 0 gathers all blocks and broadcasts them.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class AllgatherAsGatherAndBcast final : public Mockup {
public:
    AllgatherAsGatherAndBcast(const OperationMember& member, const CallSite& site)
        : Mockup(member, site, {.sent = one_block(site), .received = equal_blocks(site), .own_block = site.rank}),
          n_(argument(received().total())) {}

    int call() override {
        // In place, MPI_Gather's root alone says so: the others send from where their block lies.
        const int code = rank() == 0 ? MPI_Gather(send(), count(), type(), receive(), count(), type(), 0, comm())
                                     : MPI_Gather(own(), count(), type(), nullptr, 0, type(), 0, comm());
        return code == MPI_SUCCESS ? MPI_Bcast(receive(), n_, type(), 0, comm()) : code;
    }

private:
    [[nodiscard]] Origin origin(int block) const override { return Origin::rank(block); }

    int n_;
};

} // namespace

extern constinit const OperationMember allgather_as_gather_and_bcast = mockup<AllgatherAsGatherAndBcast>({
    .name = "allgather_as_gather_and_bcast",
    .summary = "gather at rank 0, then broadcast",
    .mockup_of = "allgather",
    .guideline = "GL11",
    .volume = Volume::blocks,
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
