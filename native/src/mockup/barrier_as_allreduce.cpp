// MPI_Barrier as a reduction of nothing to all ranks: nobody can know the result of 0 elements before all have come,
// though MPI does not promise that a library waits for them (the further rows of the guidelines).
#include "mockup/mockup.hpp"

namespace ictus::operation {
namespace {

class BarrierAsAllreduce final : public Operation {
public:
    BarrierAsAllreduce(const OperationMember&, const CallSite& site) : comm_(site.comm) {}

    int call() override { return MPI_Allreduce(nullptr, nullptr, 0, MPI_BYTE, MPI_BOR, comm_); }
    void fill(std::uint64_t) override {}
    [[nodiscard]] std::optional<Mismatch> check(std::uint64_t) const override { return std::nullopt; }

private:
    MPI_Comm comm_;
};

} // namespace

extern constinit const OperationMember barrier_as_allreduce = mockup<BarrierAsAllreduce>({
    .name = "barrier_as_allreduce",
    .summary = "allreduce of 0 bytes",
    .mockup_of = "barrier",
});

} // namespace ictus::operation
