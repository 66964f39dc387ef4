// GL13: each rank reduces one block of the message, and all ranks gather the blocks. In the buffers themselves where
// the message divides into blocks, else in memory with room for the padding of the last ones.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class AllreduceAsReduceScatterBlockAndAllgather final : public Mockup {
public:
    AllreduceAsReduceScatterBlockAndAllgather(const OperationMember& member, const CallSite& site)
        : Mockup(member, site, {one_block(site), one_block(site)}), n_(site.count), block_(argument(padded_block(n_))),
          is_direct_(divides(n_) && !is_in_place()), operand_(scratch(divides(n_) ? 0 : whole_blocks(n_))),
          result_(scratch(is_direct_ ? 0 : whole_blocks(n_))) {}

    int call() override {
        if (is_direct_) {
            return reduce_blocks(own(), receive());
        }
        const std::byte* operand = own();
        if (!divides(n_)) {
            copy(operand_.data(), own(), n_); // zeros behind it, which are no part of the message
            operand = operand_.data();
        }
        const int code = reduce_blocks(operand, result_.data());
        copy(receive(), result_.data(), n_);
        return code;
    }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(n_ranks()); }

    /// Whole blocks, from one buffer to another.
    int reduce_blocks(const std::byte* operand, std::byte* result) const {
        std::byte* const part = at(result, static_cast<std::uint64_t>(rank()) * static_cast<std::uint64_t>(block_));
        const int code = MPI_Reduce_scatter_block(operand, part, block_, type(), reduction(), comm());
        return code == MPI_SUCCESS ? MPI_Allgather(MPI_IN_PLACE, 0, type(), result, block_, type(), comm()) : code;
    }

    std::uint64_t n_;
    int block_;
    bool is_direct_; ///< without memory besides the buffers
    GuardedBuffer operand_;
    GuardedBuffer result_;
};

} // namespace

extern constinit const OperationMember allreduce_as_reduce_scatter_block_and_allgather =
    mockup<AllreduceAsReduceScatterBlockAndAllgather>({
        .name = "allreduce_as_reduce_scatter_block_and_allgather",
        .summary = "reduce_scatter_block, then allgather",
        .mockup_of = "allreduce",
        .guideline = "GL13",
        .volume = Volume::message,
        .reduces = true,
        .padded = true,
        .in_place = InPlace::every_rank,
    });

} // namespace ictus::operation
