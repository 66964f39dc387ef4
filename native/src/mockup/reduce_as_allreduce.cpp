// GL8: all ranks receive what the root alone is to keep.
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class ReduceAsAllreduce final : public Mockup {
public:
    ReduceAsAllreduce(const OperationMember& member, const CallSite& site)
        : Mockup(member, site,
                 {one_block(site), one_block(site), site.rank == site.root ? Arrival::written : Arrival::untouched}),
          unwanted_(scratch(is_root() ? 0 : site.count)) {}

    int call() override {
        std::byte* const result = is_root() ? receive() : unwanted_.data();
        if (!is_in_place()) {
            return MPI_Allreduce(own(), result, count(), type(), reduction(), comm());
        }
        if (!is_root()) { // MPI_Reduce's root alone is called in place, MPI_Allreduce's ranks only together
            copy(result, own(), sent().total());
        }
        return MPI_Allreduce(MPI_IN_PLACE, result, count(), type(), reduction(), comm());
    }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(n_ranks()); }

    GuardedBuffer unwanted_;
};

} // namespace

extern constinit const OperationMember reduce_as_allreduce = mockup<ReduceAsAllreduce>({
    .name = "reduce_as_allreduce",
    .summary = "allreduce, of which the root keeps the result",
    .mockup_of = "reduce",
    .guideline = "GL8",
    .volume = Volume::message,
    .rooted = true,
    .reduces = true,
    .in_place = InPlace::sends_at_root,
});

} // namespace ictus::operation
