// `descending`: the last rank first, rank 0 last, evenly between.
#include "workload/pattern/pattern.hpp"

namespace ictus {
namespace {

class DescendingPattern final : public Pattern {
public:
    [[nodiscard]] double share(int rank, int n_ranks, std::uint64_t) const override {
        return n_ranks > 1 ? static_cast<double>(n_ranks - 1 - rank) / (n_ranks - 1) : 0.0;
    }
};

} // namespace

namespace pattern {
extern const PatternMember descending;
const PatternMember descending = {
    {"descending", "the last rank first, rank 0 last", "", {}},
    [](const Bound&, int) -> std::unique_ptr<Pattern> { return std::make_unique<DescendingPattern>(); }};
} // namespace pattern

} // namespace ictus
