// MPI_Barrier: no rank leaves before all ranks have entered. It has no data; a late rank shows whether it is correct.
#include "workload/operation/form.hpp"
#include "workload/operation/latecomer.hpp"

ICTUS_FORMS(BarrierCalls, MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init);

namespace ictus::operation {
namespace {

class BarrierCall : public Operation {
public:
    BarrierCall(const OperationMember&, const CallSite& site) : comm_(site.comm), latecomer_(site) {}

    template <class, class Take>
    auto with_arguments(Take take) const {
        return take(comm_);
    }

    void fill(std::uint64_t seed) override { latecomer_.come(seed); }
    [[nodiscard]] std::optional<Mismatch> check(std::uint64_t seed) const override { return latecomer_.leave(seed); }

protected:
    [[nodiscard]] MPI_Comm comm() const { return comm_; }

private:
    MPI_Comm comm_;
    Latecomer latecomer_;
};

} // namespace

extern constinit const Forms barrier =
    forms<BarrierCall, BarrierCalls>({.summary = "no rank leaves before all have arrived"});

} // namespace ictus::operation
