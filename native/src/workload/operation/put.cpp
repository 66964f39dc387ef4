// MPI_Put: every rank writes its message into the window of the next.
#include "workload/operation/one_sided.hpp"

namespace ictus::operation {
namespace {

class Put final : public OneSided {
public:
    Put(const OperationMember& member, const Bound& bound, const CallSite& site)
        : OneSided(member, bound, site, WindowOf::received) {}

    BoundCall bind() override {
        return bind_epoch(BoundCall(MPI_Put, send(), count<int>(), type(), next(), 0, count<int>(), type(), window()));
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override { return BlockSource::rank(before()); }
};

} // namespace

extern constinit const OperationMember put = composed<Put>("put", "MPI_Put",
                                                           {
                                                               .summary = "a message into the window of the next rank",
                                                               .volume = Volume::message,
                                                               .since = "2.0",
                                                               .parameters = one_sided_parameters,
                                                           });

} // namespace ictus::operation
