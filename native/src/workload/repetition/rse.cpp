// `rse`: until the standard error of the mean is small enough a share of the mean: SKaMPI's rule. SKaMPI looks after
// batches of 8 from 8 samples on and ends at 33 in any case; it looks at the slowest rank of each call, which is what
// is looked at here too where clocks are not synchronised (elsewhere it is the makespan). Neighbouring samples are
// taken to be independent, which they are not: the error is larger than it says.
#include "workload/repetition/checkpoints.hpp"
#include "workload/repetition/running_precision.hpp"

namespace ictus {
namespace {

constexpr Parameter rse_parameters[] = {
    {.name = "min",
     .type = Parameter::Type::count,
     .default_value = "8",
     .help = "valid samples at least",
     .minimum = 2,
     .maximum = 1e6},
    repetition::max_parameter,
    {.name = "threshold",
     .type = Parameter::Type::real,
     .default_value = "0.03",
     .help = "standard error over mean at which it ends",
     .minimum = 0,
     .maximum = 1},
    {.name = "step",
     .type = Parameter::Type::count,
     .default_value = "8",
     .help = "valid samples from one look at the latencies to the next",
     .minimum = 1,
     .maximum = 1e6},
    repetition::max_attempts_parameter,
};

class Rse final : public repetition::LooksAtLatencies {
public:
    explicit Rse(const Bound& bound) : LooksAtLatencies(bound), threshold_(bound.real("threshold")) {}

private:
    void add(double latency_s) override { mean_.add(latency_s); }
    [[nodiscard]] bool is_enough() const override {
        return relative(mean_.standard_error(), mean_.mean()) <= threshold_;
    }

    double threshold_;
    RunningMean mean_;
};

} // namespace

namespace repetition {
extern const RepetitionMember rse;
const RepetitionMember rse = {
    {"rse", "until the relative standard error of the mean is small enough",
     "Worsch et al. 2002; Hunold and Carpen-Amarie 2016", rse_parameters},
    [](const Bound& bound) -> std::unique_ptr<Repetition> { return std::make_unique<Rse>(bound); }};
} // namespace repetition

} // namespace ictus
