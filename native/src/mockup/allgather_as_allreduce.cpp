// GL6: each rank puts its block into a vector of zeros, and the bitwise or of all vectors is what each gathers. By
// bytes, so that it holds for every datatype.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class AllgatherAsAllreduce final : public Mockup {
public:
    AllgatherAsAllreduce(const OperationMember& member, const CallSite& site)
        : Mockup(member, site, {.sent = one_block(site), .received = equal_blocks(site), .own_block = site.rank}),
          n_bytes_(argument(equal_blocks(site).total() * bytes_per_unit())),
          sparse_(scratch(equal_blocks(site).total())),
          gapped_(scratch(shape().is_dense() ? 0 : equal_blocks(site).total())) {}

    int call() override {
        copy(at(sparse_.data(), own_block()), own(), received().count(rank()));
        std::byte* const result = shape().is_dense() ? receive() : gapped_.data();
        const int code = MPI_Allreduce(sparse_.data(), result, n_bytes_, MPI_BYTE, MPI_BOR, comm());
        if (!shape().is_dense()) {
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

extern constinit const OperationMember allgather_as_allreduce = mockup<AllgatherAsAllreduce>({
    .name = "allgather_as_allreduce",
    .summary = "bitwise or of vectors with each rank's own block",
    .mockup_of = "allgather",
    .guideline = "GL6",
    .volume = Volume::blocks,
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
