// GL14: each rank reduces one block of the message, and the root gathers the blocks. In the buffers themselves where
// the message divides into blocks, else in memory with room for the padding of the last ones.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class ReduceAsReduceScatterBlockAndGather final : public Mockup {
public:
    ReduceAsReduceScatterBlockAndGather(const OperationMember& member, const CallSite& site)
        : Mockup(member, site,
                 {one_block(site), one_block(site), site.rank == site.root ? Arrival::written : Arrival::untouched}),
          n_(site.count), block_(argument(padded_block(n_))), is_direct_(is_root() && divides(n_) && !is_in_place()),
          operand_(scratch(divides(n_) ? 0 : whole_blocks(n_))), result_(scratch(is_direct_ ? 0 : whole_blocks(n_))) {}

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
        if (is_root()) {
            copy(receive(), result_.data(), n_);
        }
        return code;
    }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(n_ranks()); }

    /// Whole blocks, from one buffer to another, which the root alone has in the end.
    int reduce_blocks(const std::byte* operand, std::byte* result) const {
        std::byte* const part = at(result, static_cast<std::uint64_t>(rank()) * static_cast<std::uint64_t>(block_));
        const int code = MPI_Reduce_scatter_block(operand, part, block_, type(), reduction(), comm());
        if (code != MPI_SUCCESS) {
            return code;
        }
        const void* const sent = is_root() ? MPI_IN_PLACE : part;
        return MPI_Gather(sent, block_, type(), result, block_, type(), root(), comm());
    }

    std::uint64_t n_;
    int block_;
    bool is_direct_; ///< without memory besides the buffers
    GuardedBuffer operand_;
    GuardedBuffer result_;
};

} // namespace

extern constinit const OperationMember reduce_as_reduce_scatter_block_and_gather =
    mockup<ReduceAsReduceScatterBlockAndGather>({
        .name = "reduce_as_reduce_scatter_block_and_gather",
        .summary = "reduce_scatter_block, then gather",
        .mockup_of = "reduce",
        .guideline = "GL14",
        .volume = Volume::message,
        .rooted = true,
        .reduces = true,
        .padded = true,
        .in_place = InPlace::sends_at_root,
    });

} // namespace ictus::operation
