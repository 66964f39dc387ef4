// MPI_Barrier: no rank leaves before all have come. No data; that it holds is judged by the start skew behind it.
#include "operation/form.hpp"

namespace ictus::operation {
namespace {

class Barrier : public Operation {
public:
    Barrier(const OperationMember&, const CallSite& site) : comm_(site.comm) {}

    template <class, class Take>
    auto with_arguments(Take take) const {
        return take(comm_);
    }
    [[nodiscard]] static bool has_large_counts() { return false; }

    void fill(std::uint64_t) override {}
    [[nodiscard]] std::optional<Mismatch> check(std::uint64_t) const override { return std::nullopt; }

private:
    MPI_Comm comm_;
};

ICTUS_FORMS(BarrierCalls, MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init);

} // namespace

extern constinit const Forms barrier = forms<Barrier, BarrierCalls>({.summary = "no rank leaves before all have come"});

} // namespace ictus::operation
