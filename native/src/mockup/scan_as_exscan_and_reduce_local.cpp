// GL16: each rank receives the reduction of the ranks before it and adds its own message, behind them: operators need
// not commute.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class ScanAsExscanAndReduceLocal final : public Mockup {
public:
    ScanAsExscanAndReduceLocal(const OperationMember& member, const CallSite& site)
        : Mockup(member, site, {one_block(site), one_block(site)}), before_(scratch(site.count)) {}

    int call() override {
        const int code = MPI_Exscan(own(), before_.data(), count(), type(), reduction(), comm());
        if (!is_in_place()) {
            copy(receive(), own(), sent().total());
        }
        return code == MPI_SUCCESS && rank() > 0
                   ? MPI_Reduce_local(before_.data(), receive(), count(), type(), reduction())
                   : code;
    }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(rank() + 1); }

    GuardedBuffer before_; ///< the reduction of the ranks before this one
};

} // namespace

extern constinit const OperationMember scan_as_exscan_and_reduce_local = mockup<ScanAsExscanAndReduceLocal>({
    .name = "scan_as_exscan_and_reduce_local",
    .summary = "exscan, then reduce_local",
    .mockup_of = "scan",
    .guideline = "GL16",
    .volume = Volume::message,
    .reduces = true,
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
