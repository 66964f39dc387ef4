// MPI_Accumulate: every rank reduces its message into the window of the next rank. Each call continues from the last
// result; the window starts with the message of the rank after the sender.
#include "workload/operation/one_sided.hpp"

namespace ictus::operation {
namespace {

class Accumulate final : public OneSided {
public:
    Accumulate(const OperationMember& member, const Bound& bound, const CallSite& site)
        : OneSided(member, bound, require_operator_of_mpi(member, site), WindowOf::received) {}

    BoundCall bind() override {
        return bind_epoch(BoundCall(MPI_Accumulate, send(), count<int>(), type(), next(), 0, count<int>(), type(),
                                    reduction(), window()));
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override { return {before(), before() + 2, 0}; }
    [[nodiscard]] std::optional<BlockSource> operand() const override { return BlockSource::rank(before() + 1); }
};

} // namespace

extern constinit const OperationMember accumulate =
    composed<Accumulate>("accumulate", "MPI_Accumulate",
                         {
                             .summary = "a message reduced into the window of the next rank",
                             .volume = Volume::message,
                             .reduces = true,
                             .since = "2.0",
                             .parameters = one_sided_parameters,
                         });

} // namespace ictus::operation
