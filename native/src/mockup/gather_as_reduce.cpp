// GL4: each rank puts its block into a vector of zeros, and the bitwise or of all vectors is what the root gathers. By
// bytes, so that it holds for every datatype.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class GatherAsReduce final : public Mockup {
public:
    GatherAsReduce(const OperationMember& member, const CallSite& site)
        : Mockup(member, site,
                 {one_block(site), equal_blocks(site), site.rank == site.root ? Arrival::written : Arrival::untouched,
                  site.rank}),
          n_bytes_(argument(equal_blocks(site).total() * bytes_per_unit())),
          sparse_(scratch(equal_blocks(site).total())),
          gapped_(scratch(shape().is_dense() ? 0 : equal_blocks(site).total())) {}

    int call() override {
        copy(at(sparse_.data(), own_block()), own(), received().count(rank()));
        std::byte* const result = shape().is_dense() ? receive() : gapped_.data();
        const int code = MPI_Reduce(sparse_.data(), result, n_bytes_, MPI_BYTE, MPI_BOR, root(), comm());
        if (!shape().is_dense() && is_root()) {
            copy(receive(), gapped_.data(), received().total());
        }
        return code;
    }

private:
    [[nodiscard]] Origin origin(int block) const override { return Origin::rank(block); }

    int n_bytes_;
    GuardedBuffer sparse_; ///< zeros but for the own block
    GuardedBuffer gapped_; ///< the result, of a layout whose gaps must not be written
};

} // namespace

extern constinit const OperationMember gather_as_reduce = mockup<GatherAsReduce>({
    .name = "gather_as_reduce",
    .summary = "bitwise or of vectors with each rank's own block",
    .mockup_of = "gather",
    .guideline = "GL4",
    .volume = Volume::blocks,
    .rooted = true,
    .in_place = InPlace::sends_at_root,
});

} // namespace ictus::operation
