// Study of accuracy: every algorithm synchronises repeatedly, in shuffled order. The error of every rank's global clock
// is measured at given times after each synchronisation. Layout: file-format.md, clocks.json, accuracy.
#pragma once

#include "study/known_clock.hpp"
#include "study/ping_pong_check.hpp"
#include "study/study.hpp"
#include "transport/transport.hpp"

#include <optional>
#include <string>
#include <utility>

namespace ictus {

/// The duration of the library's own barrier, the baseline of the Pareto figure. A call lasts as long as on its slowest
/// rank. NaN for no calls.
struct BarrierTime {
    std::uint64_t calls = 0;
    double mean_s = 0.0;
    double median_s = 0.0;
};

/// Collective; the result is that of rank 0.
[[nodiscard]] BarrierTime measure_barrier(Transport& transport, std::uint64_t calls);

struct AccuracyPlan {
    /// `known` refuses to run where the truth cannot be known; `ping_pong` checks by ping-pong in any case, so that the
    /// check can be judged where the truth is known.
    enum class Truth { automatic, known, ping_pong };

    std::vector<std::string> names; ///< of the algorithms, as the user wrote them
    std::vector<Bound> algorithms;
    std::vector<double> waits_s; ///< ascending
    Truth truth = Truth::automatic;
    PingPongSettings check;
    std::uint64_t repeats = 1;
    std::uint64_t barriers = 1000;
    std::uint64_t seed = 1;
};

/// Per wait, per rank.
using Matrix = std::vector<std::vector<double>>;

struct KnownErrors {
    std::vector<double> at_s; ///< per wait: seconds of the shared counter since rank 0's epoch
    Matrix error_s;
    Matrix bound_s;
};

/// NaN for ranks that were not checked.
struct CheckedErrors {
    Matrix waited_s;
    Matrix error_s;
    Matrix half_width_s;
    Matrix bound_s;
};

/// Where the merged model of each rank lies, at the confidence of its edges (clockmath/merged_model).
struct ConfidenceRecord {
    std::vector<double> slope_low;
    std::vector<double> slope_high;
    std::vector<double> intercept_low_s;
    std::vector<double> intercept_high_s;
};

struct SynchronisationRecord {
    std::uint64_t repeat = 0;
    std::size_t algorithm = 0;
    double elapsed_s = 0.0;
    std::uint64_t messages = 0;
    std::vector<double> slope;
    std::vector<double> intercept_s;
    std::vector<double> slope_error;
    std::vector<double> intercept_error_s;
    std::optional<ConfidenceRecord> confidence; ///< absent where models are not merged
    std::optional<KnownErrors> known;
    std::optional<CheckedErrors> ping_pong;
};

/// Complete on rank 0 only.
struct AccuracyResult {
    std::optional<SharedCounter> counter; ///< absent where it was not measured
    BarrierTime barrier;
    std::vector<int> checked;
    bool judged_by_ping_pong = false;
    std::vector<SynchronisationRecord> synchronisations;
};

/// Collective. Throws a PlanError where the plan cannot be carried out.
[[nodiscard]] AccuracyResult run_accuracy(LaunchContext& context, const AccuracyPlan& plan);

void write(record::JsonWriter& json, const AccuracyPlan& plan, const AccuracyResult& result);

class AccuracyStudy final : public Study {
public:
    explicit AccuracyStudy(AccuracyPlan plan) : plan_(std::move(plan)) {}
    [[nodiscard]] std::string_view name() const override { return "accuracy"; }
    void measure(LaunchContext& context) override { result_ = run_accuracy(context, plan_); }
    void write(record::JsonWriter& json) const override { ictus::write(json, plan_, result_); }

private:
    AccuracyPlan plan_;
    AccuracyResult result_;
};

} // namespace ictus
