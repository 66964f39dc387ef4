// MPI_Scan: rank r ends with the reduction of the messages of ranks 0 to r.
#include "workload/operation/collective.hpp"

ICTUS_FORMS(ScanCalls, MPI_Scan, MPI_Iscan, MPI_Scan_init);

namespace ictus::operation {
namespace {

class Scan : public Collective {
public:
    Scan(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = one_block(site), .received = one_block(site)}) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), receive(), count<Count>(), type(), reduction(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override { return BlockSource::ranks_below(rank() + 1); }
};

} // namespace

extern constinit const Forms scan = forms<Scan, ScanCalls>({
    .summary = "the reduction of the messages of the ranks up to each rank",
    .volume = Volume::message,
    .reduces = true,
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
