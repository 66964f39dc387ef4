// MPI_Barrier: no rank leaves before all have come. No data; that it holds is judged by the start skew behind it.
#include "operation/collective.hpp"

namespace ictus::operation {
namespace {

class Barrier final : public Operation {
public:
    Barrier(const OperationMember&, const CallSite& site) : comm_(site.comm) {}

    int call() override { return MPI_Barrier(comm_); }
    void fill(std::uint64_t) override {}
    [[nodiscard]] std::optional<Mismatch> check(std::uint64_t) const override { return std::nullopt; }

private:
    MPI_Comm comm_;
};

} // namespace

extern constinit const OperationMember barrier{
    {{"barrier", "no rank leaves before all have come", "", {}}, make<Barrier>},
    "MPI_Barrier",
    Volume::none,
    /*rooted=*/false,
    /*reduces=*/false,
};

} // namespace ictus::operation
