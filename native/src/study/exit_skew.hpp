// Study of exit skew: how far apart ranks leave a start. All enter at a common instant (the start of a window), so that
// exits do not merely show arrivals. Layout: file-format.md, skew.json.
#pragma once

#include "study/exit_profile.hpp"
#include "study/known_clock.hpp"
#include "study/study.hpp"

#include <optional>
#include <string>
#include <utility>

namespace ictus {

struct ExitSkewPlan {
    std::vector<std::string> names;  ///< of the starts, as the user wrote them
    std::vector<Bound> starts;       ///< of family procsync
    Bound entry;                     ///< likewise: brings the ranks to the common instant
    double entry_tolerance_s = 5e-6; ///< ranks that entered further apart than this did not enter together
    Bound repetition;                ///< how often each is entered
    std::uint64_t warmup = 20;       ///< entries that are not counted, for each start
    std::uint64_t seed = 1;
};

/// In one time scale. Seconds.
struct ExitAccount {
    ExitProfile entry;
    ExitProfile exit;
    std::vector<double> duration_s; ///< of each repetition: first entry to last exit
};

struct StartRecord {
    std::size_t start = 0; ///< index among the plan's
    std::uint64_t attempted = 0;
    std::uint64_t late_entry = 0; ///< ranks did not enter together
    std::uint64_t missed = 0;     ///< they did, but the start reports that a rank missed its instant
    std::uint64_t valid = 0;
    double elapsed_s = 0.0;
    double clock_bound_s = 0.0;       ///< proven, of any rank's global clock; NaN: none
    ExitAccount measured;             ///< on the global clock
    std::optional<ExitAccount> truth; ///< on the counter that all ranks read, where they do
};

/// Complete on rank 0 only.
struct ExitSkewResult {
    std::optional<SharedCounter> counter; ///< absent where it could not be shared
    std::vector<StartRecord> starts;      ///< in the order in which they were measured
};

/// Collective. Throws a PlanError where the plan cannot be carried out.
[[nodiscard]] ExitSkewResult run_exit_skew(LaunchContext& context, const ExitSkewPlan& plan);

/// Warnings, each as one sentence.
[[nodiscard]] std::vector<std::string> remarks(const ExitSkewPlan& plan, const ExitSkewResult& result);

void write(record::JsonWriter& json, const ExitSkewPlan& plan, const ExitSkewResult& result);

class ExitSkewStudy final : public Study {
public:
    explicit ExitSkewStudy(ExitSkewPlan plan) : plan_(std::move(plan)) {}
    [[nodiscard]] std::string_view name() const override { return "skew"; }
    void measure(LaunchContext& context) override { result_ = run_exit_skew(context, plan_); }
    void write(record::JsonWriter& json) const override { ictus::write(json, plan_, result_); }
    [[nodiscard]] std::vector<std::string> remarks() const override { return ictus::remarks(plan_, result_); }

private:
    ExitSkewPlan plan_;
    ExitSkewResult result_;
};

} // namespace ictus
