// GL7: all blocks go to all ranks, and each takes its own.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class ScatterAsBcast final : public Mockup {
public:
    ScatterAsBcast(const OperationMember& member, const CallSite& site)
        : Mockup(member, site, {site.rank == site.root ? equal_blocks(site) : Partition(), one_block(site)}),
          n_(argument(equal_blocks(site).total())), all_(scratch(is_root() ? 0 : equal_blocks(site).total())) {}

    int call() override {
        std::byte* const all = is_root() ? send() : all_.data();
        const int code = MPI_Bcast(all, n_, type(), root(), comm());
        if (!receives_in_place()) {
            copy(receive(), at(all, own_block()), received().total());
        }
        return code;
    }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::rank(root(), own_block()); }

    int n_;
    GuardedBuffer all_; ///< what a rank that is not the root receives
};

} // namespace

extern constinit const OperationMember scatter_as_bcast = mockup<ScatterAsBcast>({
    .name = "scatter_as_bcast",
    .summary = "broadcast of all blocks, of which each rank takes its own",
    .mockup_of = "scatter",
    .guideline = "GL7",
    .volume = Volume::blocks,
    .rooted = true,
    .in_place = InPlace::receives_at_root,
});

} // namespace ictus::operation
