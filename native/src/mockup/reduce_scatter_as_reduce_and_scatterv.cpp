// GL17: rank 0 receives the whole reduction and scatters it in blocks of their own sizes.
#include "mockup/mockup.hpp"
#include "operation/block_arrays.hpp"

namespace ictus::operation {
namespace {

class ReduceScatterAsReduceAndScatterv final : public Mockup {
public:
    ReduceScatterAsReduceAndScatterv(const OperationMember& member, const CallSite& site)
        : Mockup(member, site, {varied_blocks(site), own_block_of(varied_blocks(site), site)}),
          n_(argument(sent().total())), own_count_(argument(sent().count(rank()))), arrays_(sent(), false),
          all_(scratch(rank() == 0 ? sent().total() : 0)) {}

    int call() override {
        const int code = MPI_Reduce(own(), all_.data(), n_, type(), reduction(), 0, comm());
        return code == MPI_SUCCESS ? MPI_Scatterv(all_.data(), arrays_.counts<int>(), arrays_.places<int>(), type(),
                                                  receive(), own_count_, type(), 0, comm())
                                   : code;
    }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(n_ranks(), sent().first(rank())); }

    int n_;
    int own_count_;
    BlockArrays arrays_;
    GuardedBuffer all_; ///< the reduction, at rank 0
};

} // namespace

extern constinit const OperationMember reduce_scatter_as_reduce_and_scatterv =
    mockup<ReduceScatterAsReduceAndScatterv>({
        .name = "reduce_scatter_as_reduce_and_scatterv",
        .summary = "reduce at rank 0, then scatterv",
        .mockup_of = "reduce_scatter",
        .guideline = "GL17",
        .volume = Volume::blocks,
        .reduces = true,
        .varied = true,
        .in_place = InPlace::every_rank,
    });

} // namespace ictus::operation
