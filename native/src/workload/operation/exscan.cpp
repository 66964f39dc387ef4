// MPI_Exscan: rank r ends with the reduction of the messages of ranks 0 to r - 1. What rank 0 receives is undefined.
#include "workload/operation/collective.hpp"

ICTUS_FORMS(ExscanCalls, MPI_Exscan, MPI_Iexscan, MPI_Exscan_init);

namespace ictus::operation {
namespace {

class Exscan : public Collective {
public:
    Exscan(const OperationMember& member, const CallSite& site)
        : Collective(member, site,
                     {one_block(site), one_block(site), site.rank == 0 ? Arrival::undefined : Arrival::written}) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), receive(), count<Count>(), type(), reduction(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override { return BlockSource::ranks_below(rank()); }
};

} // namespace

extern constinit const Forms exscan = forms<Exscan, ExscanCalls>({
    .summary = "the reduction of the messages of the ranks before each rank",
    .volume = Volume::message,
    .reduces = true,
    .since = "2.0",
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
