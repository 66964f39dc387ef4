// MPI_Fetch_and_op, which works on one element: every rank fetches an element from the window of the next rank and
// reduces its own into it, for each element of the message (fetching.hpp). With a message of one element, such as
// `--op "fetch_and_op(passive,lock=held)" --sizes 8`, the time is that of one atomic operation.
#include "workload/operation/fetching.hpp"

namespace ictus::operation {
namespace {

class FetchAndOp final : public FetchingReduction {
public:
    FetchAndOp(const OperationMember& member, const Bound& bound, const CallSite& site)
        : FetchingReduction(member, bound, require_single_elements(member, site)) {}

    BoundCall bind() override { return bind_epoch(for_each_element(*this)); }

    [[nodiscard]] std::size_t n_elements() const { return count<std::size_t>(); }
    int access(std::size_t element) const {
        const std::size_t at = element * element_bytes();
        return MPI_Fetch_and_op(send() + at, fetched() + at, type(), next(), static_cast<MPI_Aint>(at), reduction(),
                                window());
    }
};

} // namespace

extern constinit const OperationMember fetch_and_op = composed<FetchAndOp>(
    "fetch_and_op", "MPI_Fetch_and_op",
    {
        .summary = "every element of a message reduced into the window of the next rank, which returns what was there",
        .volume = Volume::message,
        .reduces = true,
        .since = "3.0",
        .parameters = one_sided_parameters,
    });

} // namespace ictus::operation
