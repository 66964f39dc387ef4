// GL3: all ranks receive what the root alone is to keep.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class GatherAsAllgather final : public Mockup {
public:
    GatherAsAllgather(const OperationMember& member, const CallSite& site)
        : Mockup(member, site,
                 {one_block(site), equal_blocks(site), site.rank == site.root ? Arrival::written : Arrival::untouched,
                  site.rank}),
          unwanted_(scratch(is_root() ? 0 : equal_blocks(site).total())) {}

    int call() override {
        std::byte* const all = is_root() ? receive() : unwanted_.data();
        if (!is_in_place()) {
            return MPI_Allgather(own(), count(), type(), all, count(), type(), comm());
        }
        if (!is_root()) { // MPI_Gather's root alone is called in place, MPI_Allgather's ranks only together
            copy(at(all, own_block()), own(), received().count(0));
        }
        return MPI_Allgather(MPI_IN_PLACE, 0, type(), all, count(), type(), comm());
    }

private:
    [[nodiscard]] Origin origin(int block) const override { return Origin::rank(block); }

    GuardedBuffer unwanted_;
};

} // namespace

extern constinit const OperationMember gather_as_allgather = mockup<GatherAsAllgather>({
    .name = "gather_as_allgather",
    .summary = "allgather, of which the root keeps the result",
    .mockup_of = "gather",
    .guideline = "GL3",
    .volume = Volume::blocks,
    .rooted = true,
    .in_place = InPlace::sends_at_root,
});

} // namespace ictus::operation
