// `ascending`: rank 0 first, the last rank last, evenly between.
#include "workload/pattern/pattern.hpp"

namespace ictus {
namespace {

class AscendingPattern final : public Pattern {
public:
    [[nodiscard]] double share(int rank, int n_ranks, std::uint64_t) const override {
        return n_ranks > 1 ? static_cast<double>(rank) / (n_ranks - 1) : 0.0;
    }
};

} // namespace

namespace pattern {
extern const PatternMember ascending;
const PatternMember ascending = {
    {"ascending", "rank 0 first, the last rank last", "", {}},
    [](const Bound&, int) -> std::unique_ptr<Pattern> { return std::make_unique<AscendingPattern>(); }};
} // namespace pattern

} // namespace ictus
