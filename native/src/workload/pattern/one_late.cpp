// `one-late`: all but one arrive together; that one arrives when the size has passed.
#include "workload/pattern/pattern.hpp"

#include "base/error.hpp"

namespace ictus {
namespace {

constexpr Parameter one_late_parameters[] = {
    {.name = "rank", .type = Parameter::Type::count, .default_value = "0", .help = "who is late", .maximum = 1e7},
};

class OneLatePattern final : public Pattern {
public:
    OneLatePattern(std::uint64_t late, int n_ranks) : late_(static_cast<int>(late)) {
        if (late_ >= n_ranks) {
            throw usage_error("pattern 'one-late', parameter 'rank': " + std::to_string(late_) +
                              " is not below the number of ranks, " + std::to_string(n_ranks));
        }
    }

    [[nodiscard]] double share(int rank, int, std::uint64_t) const override { return rank == late_ ? 1.0 : 0.0; }

private:
    int late_;
};

} // namespace

namespace pattern {
extern const PatternMember one_late;
const PatternMember one_late = {{"one-late", "all together but one, which comes last", "", one_late_parameters},
                                [](const Bound& bound, int n_ranks) -> std::unique_ptr<Pattern> {
                                    return std::make_unique<OneLatePattern>(bound.count("rank"), n_ranks);
                                }};
} // namespace pattern

} // namespace ictus
