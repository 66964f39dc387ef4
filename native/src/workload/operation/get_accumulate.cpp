// MPI_Get_accumulate: every rank fetches the message in the window of the next rank and reduces its own into it
// (fetching.hpp).
#include "workload/operation/fetching.hpp"

namespace ictus::operation {
namespace {

class GetAccumulate final : public FetchingReduction {
public:
    GetAccumulate(const OperationMember& member, const Bound& bound, const CallSite& site)
        : FetchingReduction(member, bound, site) {}

    BoundCall bind() override {
        return bind_epoch(BoundCall(MPI_Get_accumulate, send(), count<int>(), type(), fetched(), count<int>(), type(),
                                    next(), 0, count<int>(), type(), reduction(), window()));
    }
};

} // namespace

extern constinit const OperationMember get_accumulate = composed<GetAccumulate>(
    "get_accumulate", "MPI_Get_accumulate",
    {
        .summary = "a message reduced into the window of the next rank, which returns what was there",
        .volume = Volume::message,
        .reduces = true,
        .since = "3.0",
        .parameters = one_sided_parameters,
    });

} // namespace ictus::operation
