// The rule of NBCBench (Hoefler et al. 2007; algorithm 14 of Hunold and Carpen-Amarie 2015), for a case of n samples,
// 4 at least:
//   trial: n/10 calls back to back; estimate = the largest over ranks of their least duration
//   5 n estimate > 10 s            -> n = max(n / 2, 4)
//   more than n/4 late, or fewer than 4 that were not -> the whole case again, with 1.5 times the window
// This rule does not count a call that outlasts its window, but the next call, which is then late. No window is long
// enough on a machine that is busy with other work, so the rule gives up after 30 windows, 1.5^29 = 128,000 times the
// first one; the case then has no valid sample.
#include "procsync/window_rule.hpp"

#include <algorithm>

namespace ictus::procsync {
namespace {

constexpr std::uint64_t least_samples = 4;
constexpr double longest_case_s = 10.0;
constexpr int most_windows = 30;

class NbcbenchRule final : public WindowRule {
public:
    explicit NbcbenchRule(double size_s) : size_s_(size_s), is_size_auto_(size_s < 0.0) {}

    [[nodiscard]] std::uint64_t next_batch(std::uint64_t missing) override {
        if (samples_ == 0) {
            samples_ = std::max(missing, least_samples); // no case of fewer could be accepted
        }
        if (is_trial()) {
            return std::max(samples_ / 10, std::uint64_t{1});
        }
        return is_accepted_ || windows_ == most_windows ? 0 : samples_;
    }

    [[nodiscard]] bool ends_cases() const override { return true; }
    [[nodiscard]] bool is_trial() const override { return !has_estimate_; }

    void estimate(double run_time_s) override {
        has_estimate_ = true;
        if (is_size_auto_) {
            size_s_ = run_time_s;
        }
        if (5.0 * static_cast<double>(samples_) * run_time_s > longest_case_s) {
            samples_ = std::max(samples_ / 2, least_samples);
        }
    }

    bool judge(const Batch& batch) override {
        const auto n = static_cast<std::uint64_t>(batch.flags.size());
        const auto on_time = static_cast<std::uint64_t>(std::count(batch.flags.begin(), batch.flags.end(), 0));
        is_accepted_ = 4 * (n - on_time) <= n && on_time >= least_samples;
        ++windows_;
        if (!is_accepted_) {
            size_s_ *= 1.5;
        }
        return is_accepted_;
    }

    [[nodiscard]] bool flags_overruns() const override { return false; }
    [[nodiscard]] double size_s() const override { return size_s_; }

private:
    double size_s_;
    bool is_size_auto_;
    std::uint64_t samples_ = 0; ///< of the case; 0: not known yet
    bool has_estimate_ = false;
    bool is_accepted_ = false;
    int windows_ = 0; ///< tried so far
};

} // namespace

std::unique_ptr<WindowRule> nbcbench_rule(double size_s) { return std::make_unique<NbcbenchRule>(size_s); }

} // namespace ictus::procsync
