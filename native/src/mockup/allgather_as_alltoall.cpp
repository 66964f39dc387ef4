// GL5: every rank sends its block to each rank anew.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class AllgatherAsAlltoall final : public Mockup {
public:
    AllgatherAsAlltoall(const OperationMember& member, const CallSite& site)
        : Mockup(member, site, {.sent = one_block(site), .received = equal_blocks(site), .own_block = site.rank}),
          copies_(scratch(equal_blocks(site).total())) {}

    int call() override {
        for (int block = 0; block < n_ranks(); ++block) {
            copy(at(copies_.data(), received().first(block)), own(), received().count(block));
        }
        return MPI_Alltoall(copies_.data(), count(), type(), receive(), count(), type(), comm());
    }

private:
    [[nodiscard]] Origin origin(int block) const override { return Origin::rank(block); }

    GuardedBuffer copies_;
};

} // namespace

extern constinit const OperationMember allgather_as_alltoall = mockup<AllgatherAsAlltoall>({
    .name = "allgather_as_alltoall",
    .summary = "alltoall with the same block for each rank",
    .mockup_of = "allgather",
    .guideline = "GL5",
    .volume = Volume::blocks,
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
