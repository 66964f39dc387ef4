// A call of a function that does nothing. Its latency is what the harness adds to every operation: a clock reading, and
// the way to a bound call's function and back.
#include "workload/operation/operation.hpp"

namespace ictus::operation {
namespace {

class Empty final : public Operation {
public:
    BoundCall bind() override { return BoundCall(); }
    void fill(std::uint64_t) override {}
    [[nodiscard]] std::optional<Mismatch> check(std::uint64_t) const override { return std::nullopt; }
};

std::unique_ptr<Operation> make_empty(const Bound&, const CallSite&) { return std::make_unique<Empty>(); }

} // namespace

extern constinit const OperationMember empty{
    {{"empty", "a function that does nothing, to show the overhead of measuring", "", {}}, make_empty}, ""};

} // namespace ictus::operation
