// GL15: rank 0 receives the whole reduction and scatters it.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class ReduceScatterBlockAsReduceAndScatter final : public Mockup {
public:
    ReduceScatterBlockAsReduceAndScatter(const OperationMember& member, const CallSite& site)
        : Mockup(member, site, {equal_blocks(site), one_block(site)}), n_(argument(sent().total())),
          all_(scratch(rank() == 0 ? sent().total() : 0)) {}

    int call() override {
        const int code = MPI_Reduce(own(), all_.data(), n_, type(), reduction(), 0, comm());
        return code == MPI_SUCCESS ? MPI_Scatter(all_.data(), count(), type(), receive(), count(), type(), 0, comm())
                                   : code;
    }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(n_ranks(), own_block()); }

    int n_;
    GuardedBuffer all_; ///< the reduction, at rank 0
};

} // namespace

extern constinit const OperationMember reduce_scatter_block_as_reduce_and_scatter =
    mockup<ReduceScatterBlockAsReduceAndScatter>({
        .name = "reduce_scatter_block_as_reduce_and_scatter",
        .summary = "reduce at rank 0, then scatter",
        .mockup_of = "reduce_scatter_block",
        .guideline = "GL15",
        .volume = Volume::blocks,
        .reduces = true,
        .in_place = InPlace::every_rank,
    });

} // namespace ictus::operation
