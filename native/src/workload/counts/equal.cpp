// `equal`: every block the same, as in the operation without counts of its own, with which it can then be compared.
#include "workload/counts/counts.hpp"

namespace ictus {
namespace {

class EqualCounts final : public CountDistribution {
public:
    [[nodiscard]] std::vector<std::uint32_t> weights(int) const override { return {}; }
};

} // namespace

namespace counts {
extern const CountMember equal;
const CountMember equal = {
    {"equal", "every block the same", "", {}},
    [](const Bound&) -> std::unique_ptr<CountDistribution> { return std::make_unique<EqualCounts>(); }};
} // namespace counts

} // namespace ictus
