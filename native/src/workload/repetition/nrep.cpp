// `nrep`: until every chosen metric is at or under its threshold: the prediction of the number of repetitions of Hunold
// and Carpen-Amarie, Self-consistent performance guidelines (2016), section 4.2. Three metrics, each chosen by giving
// it a threshold:
//   rse         standard error of the mean over the mean, of what is inside Tukey's fences
//   cov_mean    coefficient of variation of the means after n, n-1, ..., n-mean_window+1 samples
//   cov_median  the same of the medians
// The windows overlap nearly whole: neighbouring means are alike whatever the samples do, and a case whose samples
// resemble their neighbours ends early. `ictus nrep` takes the largest count of several launches.
#include "base/error.hpp"
#include "workload/repetition/checkpoints.hpp"
#include "workload/repetition/running_precision.hpp"

#include <optional>

namespace ictus {
namespace {

constexpr Parameter threshold_parameter(std::string_view name, std::string_view default_value, std::string_view help) {
    return {.name = name,
            .type = Parameter::Type::real,
            .default_value = default_value,
            .help = help,
            .minimum = 0,
            .maximum = 1,
            .choices = "off"};
}

constexpr Parameter window_parameter(std::string_view name, std::string_view help) {
    return {.name = name,
            .type = Parameter::Type::count,
            .default_value = "20",
            .help = help,
            .minimum = 2,
            .maximum = 1e6};
}

constexpr Parameter nrep_parameters[] = {
    {.name = "min",
     .type = Parameter::Type::count,
     .default_value = "20",
     .help = "valid samples at the first look",
     .minimum = 2,
     .maximum = 1e6},
    repetition::max_parameter,
    repetition::step_parameter,
    threshold_parameter("rse", "0.025", "standard error of the mean over the mean, without outliers"),
    threshold_parameter("cov_mean", "0.01", "coefficient of variation of the last means"),
    threshold_parameter("cov_median", "off", "coefficient of variation of the last medians"),
    window_parameter("mean_window", "how many means cov_mean looks at"),
    window_parameter("median_window", "how many medians cov_median looks at"),
    repetition::max_attempts_parameter,
};

std::optional<double> threshold_of(const Bound& bound, std::string_view metric) {
    return bound.is_word(metric) ? std::nullopt : std::optional(bound.real(metric));
}

class Nrep final : public repetition::LooksAtLatencies {
public:
    explicit Nrep(const Bound& bound)
        : LooksAtLatencies(bound), rse_(threshold_of(bound, "rse")), cov_mean_(threshold_of(bound, "cov_mean")),
          cov_median_(threshold_of(bound, "cov_median")), mean_window_(bound.count("mean_window")),
          median_window_(bound.count("median_window")) {
        if (!rse_ && !cov_mean_ && !cov_median_) {
            throw usage_error("repetition 'nrep': rse, cov_mean and cov_median are all off; give one a threshold");
        }
    }

private:
    void add(double latency_s) override { prefixes_.add(latency_s); }
    [[nodiscard]] bool is_enough() const override {
        return (!rse_ || prefixes_.rse() <= *rse_) && (!cov_mean_ || prefixes_.cov_mean(mean_window_) <= *cov_mean_) &&
               (!cov_median_ || prefixes_.cov_median(median_window_) <= *cov_median_);
    }

    std::optional<double> rse_; ///< thresholds; none where the metric is not looked at
    std::optional<double> cov_mean_;
    std::optional<double> cov_median_;
    std::size_t mean_window_;
    std::size_t median_window_;
    Prefixes prefixes_;
};

} // namespace

namespace repetition {
extern const RepetitionMember nrep;
const RepetitionMember nrep = {
    {"nrep", "until all chosen metrics of the samples so far are under their thresholds",
     "Hunold and Carpen-Amarie 2016, guidelines, section 4.2", nrep_parameters},
    [](const Bound& bound) -> std::unique_ptr<Repetition> { return std::make_unique<Nrep>(bound); }};
} // namespace repetition

} // namespace ictus
