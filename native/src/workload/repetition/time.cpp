// `time`: as many repetitions as fit into a slice of time, whatever starts them. The next batch is what the slice still
// holds at the pace so far, but at most as many as there are: one slow start does not decide for all.
#include "workload/repetition/repetition.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace ictus {
namespace {

constexpr Parameter time_parameters[] = {
    {.name = "slice",
     .type = Parameter::Type::duration,
     .default_value = "500ms",
     .help = "time to spend on the samples of a case, on rank 0's clock",
     .minimum = 1e-6,
     .maximum = 86400},
    {.name = "min",
     .type = Parameter::Type::count,
     .default_value = "10",
     .help = "valid samples at least, also where they take longer",
     .minimum = 1,
     .maximum = 1e6},
    {.name = "max",
     .type = Parameter::Type::count,
     .default_value = "1000000",
     .help = "valid samples at most",
     .minimum = 1,
     .maximum = 1e7},
};

class Slice final : public Repetition {
public:
    explicit Slice(const Bound& bound)
        : slice_s_(bound.real("slice")), min_(bound.count("min")), max_(bound.count("max")) {
        if (max_ < min_) {
            throw usage_error("repetition 'time', parameter 'max': " + std::to_string(max_) + " is below min, " +
                              std::to_string(min_));
        }
    }

    [[nodiscard]] Evidence evidence() const override { return Evidence::time; }

    [[nodiscard]] std::uint64_t next_batch(const Standing& standing) const override {
        if (standing.valid >= max_) {
            return 0;
        }
        if (standing.valid < min_ && standing.attempted < repetition::attempts_per_sample * min_) {
            return min_ - standing.valid;
        }
        const double left =
            (slice_s_ - standing.elapsed_s) / standing.elapsed_s * static_cast<double>(standing.attempted);
        if (!(left >= 1.0)) {
            return 0;
        }
        const auto most = static_cast<double>(std::min(standing.attempted, max_ - standing.valid));
        return static_cast<std::uint64_t>(std::min(left, most));
    }

private:
    double slice_s_;
    std::uint64_t min_;
    std::uint64_t max_;
};

} // namespace

namespace repetition {
extern const RepetitionMember time;
const RepetitionMember time = {
    {"time", "as many samples as fit into a slice of time", "", time_parameters},
    [](const Bound& bound) -> std::unique_ptr<Repetition> { return std::make_unique<Slice>(bound); }};
} // namespace repetition

} // namespace ictus
