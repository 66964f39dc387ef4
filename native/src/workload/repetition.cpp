// The members of family `repetition`.
#include "workload/repetition.hpp"

#include "base/error.hpp"
#include "workload/precision.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace ictus {
namespace repetition {
namespace {

// Shared by the repetitions that look at latencies: after min, min + step, ... valid samples, and at max, they decide
// whether that is enough. Samples are taken in whole steps, so that ranks communicate only between batches.
class Checkpoints {
public:
    /// Parameters `min`, `max`, `step` and `max_attempts`. Throws a usage Error if they contradict each other.
    explicit Checkpoints(const Bound& bound);

    /// Whether to judge at this number of valid samples.
    [[nodiscard]] bool is_at(std::uint64_t valid) const;
    /// Samples until the next such number; 0 after the last.
    [[nodiscard]] std::uint64_t next_batch(const SampleProgress& progress) const;

private:
    std::uint64_t min_;
    std::uint64_t max_;
    std::uint64_t step_;
    std::uint64_t max_attempts_;
};

/// Ends at the first checkpoint at which its latencies are enough.
class LooksAtLatencies : public Repetition {
public:
    explicit LooksAtLatencies(const Bound& bound) : checkpoints_(bound) {}

    [[nodiscard]] Evidence evidence() const final { return Evidence::latencies; }
    [[nodiscard]] std::uint64_t next_batch(const SampleProgress& progress) const final;
    void take(std::span<const double> latencies) final;

protected:
    virtual void add(double latency_s) = 0;
    /// Whether the latencies added so far are enough.
    [[nodiscard]] virtual bool is_enough() const = 0;

private:
    Checkpoints checkpoints_;
    std::uint64_t taken_ = 0;
    bool has_enough_ = false;
};

constexpr Parameter step_parameter = {.name = "step",
                                      .type = Parameter::Type::count,
                                      .default_value = "10",
                                      .help = "valid samples between two looks at the latencies",
                                      .minimum = 1,
                                      .maximum = 1e6};
constexpr Parameter max_parameter = {.name = "max",
                                     .type = Parameter::Type::count,
                                     .default_value = "1000",
                                     .help = "valid samples at which it ends in any case",
                                     .minimum = 2,
                                     .maximum = 1e6};
constexpr Parameter max_attempts_parameter = {.name = "max_attempts",
                                              .type = Parameter::Type::count,
                                              .default_value = "auto",
                                              .help = "samples taken at most, invalid ones included; auto: 3 max",
                                              .minimum = 1,
                                              .maximum = 3e7,
                                              .allows_auto = true};

Checkpoints::Checkpoints(const Bound& bound)
    : min_(bound.count("min")), max_(bound.count("max")), step_(bound.count("step")),
      max_attempts_(bound.is_auto("max_attempts") ? attempts_per_sample * max_ : bound.count("max_attempts")) {
    const std::string what = "repetition '" + std::string(bound.info().name) + "', parameter ";
    if (max_ < min_) {
        throw usage_error(what + "'max': " + std::to_string(max_) + " is below min, " + std::to_string(min_));
    }
    if (max_attempts_ < max_) {
        throw usage_error(what + "'max_attempts': " + std::to_string(max_attempts_) + " is below max, " +
                          std::to_string(max_));
    }
}

bool Checkpoints::is_at(std::uint64_t valid) const {
    return valid == max_ || (valid >= min_ && valid < max_ && (valid - min_) % step_ == 0);
}

std::uint64_t Checkpoints::next_batch(const SampleProgress& progress) const {
    const std::uint64_t valid = progress.valid;
    if (valid >= max_ || progress.attempted >= max_attempts_) {
        return 0;
    }
    const std::uint64_t next = valid < min_ ? min_ : std::min(max_, min_ + ((valid - min_) / step_ + 1) * step_);
    return std::min(next - valid, max_attempts_ - progress.attempted);
}

std::uint64_t LooksAtLatencies::next_batch(const SampleProgress& progress) const {
    return has_enough_ ? 0 : checkpoints_.next_batch(progress);
}

void LooksAtLatencies::take(std::span<const double> latencies) {
    for (const double latency_s : latencies) {
        add(latency_s);
        ++taken_;
        has_enough_ = has_enough_ || (checkpoints_.is_at(taken_) && is_enough());
    }
}

} // namespace
} // namespace repetition

namespace {

// `fixed`: until there are nrep valid samples; invalid ones are topped up, within max_attempts.
constexpr Parameter fixed_parameters[] = {
    {.name = "nrep",
     .type = Parameter::Type::count,
     .default_value = "1000",
     .help = "required valid samples",
     .minimum = 1,
     .maximum = 1e7},
    {.name = "max_attempts",
     .type = Parameter::Type::count,
     .default_value = "auto",
     .help = "samples taken at most, invalid ones included; auto: 3 nrep",
     .minimum = 1,
     .maximum = 3e7,
     .allows_auto = true},
};

class FixedCount final : public Repetition {
public:
    explicit FixedCount(const Bound& bound)
        : nrep_(bound.count("nrep")),
          max_attempts_(bound.is_auto("max_attempts") ? repetition::attempts_per_sample * nrep_
                                                      : bound.count("max_attempts")) {
        if (max_attempts_ < nrep_) {
            throw usage_error("repetition 'fixed', parameter 'max_attempts': it must not be below nrep");
        }
    }

    [[nodiscard]] std::uint64_t next_batch(const SampleProgress& progress) const override {
        if (progress.valid >= nrep_ || progress.attempted >= max_attempts_) {
            return 0;
        }
        return std::min(nrep_ - progress.valid, max_attempts_ - progress.attempted);
    }

private:
    std::uint64_t nrep_;
    std::uint64_t max_attempts_;
};

// `time`: as many repetitions as fit into a slice of time, whatever starts them. The next batch fills the slice at the
// rate so far, but has at most as many samples as there are: one slow start does not decide for all.
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
     .help = "valid samples at least, even if they take longer",
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

    [[nodiscard]] std::uint64_t next_batch(const SampleProgress& progress) const override {
        if (progress.valid >= max_) {
            return 0;
        }
        if (progress.valid < min_ && progress.attempted < repetition::attempts_per_sample * min_) {
            return min_ - progress.valid;
        }
        const double left =
            (slice_s_ - progress.elapsed_s) / progress.elapsed_s * static_cast<double>(progress.attempted);
        if (!(left >= 1.0)) {
            return 0;
        }
        const auto most = static_cast<double>(std::min(progress.attempted, max_ - progress.valid));
        return static_cast<std::uint64_t>(std::min(left, most));
    }

private:
    double slice_s_;
    std::uint64_t min_;
    std::uint64_t max_;
};

// `rse`: until the standard error of the mean is small enough a share of the mean: SKaMPI's rule. SKaMPI looks after
// batches of 8 from 8 samples on and ends at 33 in any case; it uses the slowest rank of each call, as is done here
// where clocks are not synchronised (else the makespan). The rule assumes that neighbouring samples are independent,
// which they are not: the true error is larger.
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
     .help = "ends when the standard error divided by the mean is below this",
     .minimum = 0,
     .maximum = 1},
    {.name = "step",
     .type = Parameter::Type::count,
     .default_value = "8",
     .help = "valid samples between two looks at the latencies",
     .minimum = 1,
     .maximum = 1e6},
    repetition::max_attempts_parameter,
};

class RseRule final : public repetition::LooksAtLatencies {
public:
    explicit RseRule(const Bound& bound) : LooksAtLatencies(bound), threshold_(bound.real("threshold")) {}

private:
    void add(double latency_s) override { mean_.add(latency_s); }
    [[nodiscard]] bool is_enough() const override {
        return relative(mean_.standard_error(), mean_.mean()) <= threshold_;
    }

    double threshold_;
    RunningMean mean_;
};

// `interval`: until the interval of the mean is narrow enough: MPIBlib's rule, half the width of Student's interval
// over the mean. MPIBlib looks after each sample from 30 on, with the one-sided quantile, so that its 95 % are
// 90 %; here `level` is the true coverage of the two-sided interval, for independent samples.
constexpr Parameter interval_parameters[] = {
    {.name = "width",
     .type = Parameter::Type::real,
     .default_value = "0.05",
     .help = "ends when half the width of the mean's interval, divided by the mean, is below this",
     .minimum = 0,
     .maximum = 1},
    {.name = "level",
     .type = Parameter::Type::real,
     .default_value = "0.95",
     .help = "level of the interval, two-sided",
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

class IntervalRule final : public repetition::LooksAtLatencies {
public:
    explicit IntervalRule(const Bound& bound)
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

// `nrep`: until every chosen metric is at or under its threshold: the prediction of the number of repetitions of Hunold
// and Carpen-Amarie, Self-consistent performance guidelines (2016), section 4.2. Three metrics, each chosen by giving
// it a threshold:
//   rse         standard error of the mean over the mean, of what is inside Tukey's fences
//   cov_mean    coefficient of variation of the means after n, n-1, ..., n-mean_window+1 samples
//   cov_median  the same of the medians
// The windows overlap almost completely: neighbouring means are alike whatever the samples are, and a case whose
// samples resemble their neighbours ends early. `ictus nrep` takes the largest count of several launches.
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
    threshold_parameter("rse", "0.025",
                        "threshold of the standard error of the mean divided by the mean, without outliers"),
    threshold_parameter("cov_mean", "0.01", "threshold of the coefficient of variation of the last means"),
    threshold_parameter("cov_median", "off", "threshold of the coefficient of variation of the last medians"),
    window_parameter("mean_window", "how many means cov_mean looks at"),
    window_parameter("median_window", "how many medians cov_median looks at"),
    repetition::max_attempts_parameter,
};

std::optional<double> threshold_of(const Bound& bound, std::string_view metric) {
    return bound.is_word(metric) ? std::nullopt : std::optional(bound.real(metric));
}

class NrepRule final : public repetition::LooksAtLatencies {
public:
    explicit NrepRule(const Bound& bound)
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
namespace {

const RepetitionMember fixed = {
    {"fixed", "a fixed number of valid samples", "", fixed_parameters},
    [](const Bound& bound) -> std::unique_ptr<Repetition> { return std::make_unique<FixedCount>(bound); }};

const RepetitionMember time = {
    {"time", "as many samples as fit into a given time", "", time_parameters},
    [](const Bound& bound) -> std::unique_ptr<Repetition> { return std::make_unique<Slice>(bound); }};

const RepetitionMember rse = {
    {"rse", "until the relative standard error of the mean is small enough",
     "Worsch et al. 2002; Hunold and Carpen-Amarie 2016", rse_parameters},
    [](const Bound& bound) -> std::unique_ptr<Repetition> { return std::make_unique<RseRule>(bound); }};

const RepetitionMember interval = {
    {"interval", "until the interval of the mean is narrow enough", "Lastovetsky, Rychkov and O'Flynn 2008",
     interval_parameters},
    [](const Bound& bound) -> std::unique_ptr<Repetition> { return std::make_unique<IntervalRule>(bound); }};

const RepetitionMember nrep = {
    {"nrep", "until all chosen metrics of the samples so far are below their thresholds",
     "Hunold and Carpen-Amarie 2016, guidelines, section 4.2", nrep_parameters},
    [](const Bound& bound) -> std::unique_ptr<Repetition> { return std::make_unique<NrepRule>(bound); }};

} // namespace

const Registry<Repetition>& registry() {
    static const Registry<Repetition> all{
        "repetition", "when a case has enough samples", {&fixed, &time, &rse, &interval, &nrep}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace repetition

} // namespace ictus
