// `interval`: until the interval of the mean is narrow enough: MPIBlib's rule, half the width of Student's interval
// over the mean. MPIBlib looks after each sample from 30 on, with the one-sided quantile, so that what it calls 95 % is
// 90 %; here `level` is what the two-sided interval really covers, of independent samples.
#include "workload/repetition/checkpoints.hpp"
#include "workload/repetition/running_precision.hpp"
#include "workload/repetition/student.hpp"

namespace ictus {
namespace {

constexpr Parameter interval_parameters[] = {
    {.name = "width",
     .type = Parameter::Type::real,
     .default_value = "0.05",
     .help = "half the width of the mean's interval over the mean, at which it ends",
     .minimum = 0,
     .maximum = 1},
    {.name = "level",
     .type = Parameter::Type::real,
     .default_value = "0.95",
     .help = "of the interval, two-sided",
     .minimum = 0.5,
     .maximum = 0.9999},
    {.name = "min",
     .type = Parameter::Type::count,
     .default_value = "30",
     .help = "valid samples at least",
     .minimum = 2,
     .maximum = 1e6},
    repetition::max_parameter,
    repetition::step_parameter,
    repetition::max_attempts_parameter,
};

class Interval final : public repetition::LooksAtLatencies {
public:
    explicit Interval(const Bound& bound)
        : LooksAtLatencies(bound), width_(bound.real("width")), level_(bound.real("level")) {}

private:
    void add(double latency_s) override { mean_.add(latency_s); }
    [[nodiscard]] bool is_enough() const override {
        return mean_.n() > 1 &&
               relative(student_two_sided(level_, mean_.n() - 1) * mean_.standard_error(), mean_.mean()) <= width_;
    }

    double width_;
    double level_;
    RunningMean mean_;
};

} // namespace

namespace repetition {
extern const RepetitionMember interval;
const RepetitionMember interval = {
    {"interval", "until the interval of the mean is narrow enough", "Lastovetsky, Rychkov and O'Flynn 2008",
     interval_parameters},
    [](const Bound& bound) -> std::unique_ptr<Repetition> { return std::make_unique<Interval>(bound); }};
} // namespace repetition

} // namespace ictus
