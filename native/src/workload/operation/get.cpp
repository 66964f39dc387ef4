// MPI_Get: every rank reads the message from the window of the next rank.
#include "workload/operation/one_sided.hpp"

namespace ictus::operation {
namespace {

class Get final : public OneSided {
public:
    Get(const OperationMember& member, const Bound& bound, const CallSite& site)
        : OneSided(member, bound, site, WindowOf::sent) {}

    BoundCall bind() override {
        return bind_epoch(
            BoundCall(MPI_Get, receive(), count<int>(), type(), next(), 0, count<int>(), type(), window()));
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override { return BlockSource::rank(next()); }
};

} // namespace

extern constinit const OperationMember get = composed<Get>("get", "MPI_Get",
                                                           {
                                                               .summary = "a message from the window of the next rank",
                                                               .volume = Volume::message,
                                                               .since = "2.0",
                                                               .parameters = one_sided_parameters,
                                                           });

} // namespace ictus::operation
