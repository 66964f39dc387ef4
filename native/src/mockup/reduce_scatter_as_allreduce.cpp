// GL9: all ranks receive the whole reduction, and each takes its block.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class ReduceScatterAsAllreduce final : public Mockup {
public:
    ReduceScatterAsAllreduce(const OperationMember& member, const CallSite& site)
        : Mockup(member, site, {varied_blocks(site), own_block_of(varied_blocks(site), site)}),
          n_(argument(sent().total())), all_(scratch(sent().total())) {}

    int call() override {
        const int code = MPI_Allreduce(own(), all_.data(), n_, type(), reduction(), comm());
        copy(receive(), at(all_.data(), sent().first(rank())), sent().count(rank()));
        return code;
    }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(n_ranks(), sent().first(rank())); }

    int n_;
    GuardedBuffer all_;
};

} // namespace

extern constinit const OperationMember reduce_scatter_as_allreduce = mockup<ReduceScatterAsAllreduce>({
    .name = "reduce_scatter_as_allreduce",
    .summary = "allreduce, of which each rank takes its block",
    .mockup_of = "reduce_scatter",
    .guideline = "GL9",
    .volume = Volume::blocks,
    .reduces = true,
    .varied = true,
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
