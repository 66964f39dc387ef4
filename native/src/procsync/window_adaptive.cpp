// `window-adaptive`: windows whose size is found while measuring, by one of two published rules: skampi_rule.cpp and
// nbcbench_rule.cpp say what they do. Each batch has an anchor of its own, announced a window or twice the broadcast
// latency ahead, whichever is longer.
//
// A window that grew until enough calls fit lets through the shorter calls: see `ictus procsync window`.
#include "base/error.hpp"
#include "procsync/window_rule.hpp"
#include "procsync/window_schedule.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace ictus {
namespace {

constexpr Parameter window_adaptive_parameters[] = {
    {.name = "rule",
     .type = Parameter::Type::choice,
     .default_value = "skampi",
     .help = "whose rule: skampi keeps the valid samples of every batch, nbcbench repeats the whole case",
     .choices = "skampi nbcbench"},
    {.name = "size",
     .type = Parameter::Type::duration,
     .default_value = "auto",
     .help = "the first window; auto: none with skampi, the estimated run-time with nbcbench",
     .minimum = 0,
     .maximum = 3600,
     .allows_auto = true},
    {.name = "batch",
     .type = Parameter::Type::count,
     .default_value = "8",
     .help = "repetitions of a batch after the first, with skampi; nbcbench has one batch per case",
     .minimum = 4,
     .maximum = 1e6},
};

constexpr double longest_window_s =
    60.0; ///< of those that a rule finds; the first one, which may be given, may be longer

std::unique_ptr<procsync::WindowRule> make_rule(const Bound& bound) {
    const bool is_auto = bound.is_auto("size");
    return bound.text("rule") == "skampi"
               ? procsync::skampi_rule(is_auto ? 0.0 : bound.real("size"), bound.count("batch"))
               : procsync::nbcbench_rule(is_auto ? -1.0 : bound.real("size"));
}

class WindowAdaptive final : public ProcSync {
public:
    WindowAdaptive(const Bound& bound, const ProcSyncContext& context)
        : context_(context), schedule_(context), rule_(make_rule(bound)),
          longest_s_(std::max(longest_window_s, bound.is_auto("size") ? 0.0 : bound.real("size"))) {
        procsync::require_global_time(context, "window-adaptive");
    }

    void prepare(double) override { least_lead_s_ = 2.0 * procsync::broadcast_latency(context_); }

    void begin() override {
        shortest_s_ = std::numeric_limits<double>::infinity();
        last_end_ = GlobalTime(-std::numeric_limits<double>::infinity());
        if (!rule_->is_trial()) {
            const double size_s = rule_->size_s();
            if (!(size_s <= longest_s_)) {
                throw measurement_error("procsync 'window-adaptive': its rule asks for a window of " +
                                        std::to_string(size_s) + " s, and the longest allowed is " +
                                        std::to_string(longest_s_) +
                                        " s. Either the synchronised clocks are wrong, or the call takes so long that "
                                        "it needs --procsync 'window(size=...)'");
            }
            lead_s_ = std::max(size_s, least_lead_s_);
            schedule_.anchor(size_s, lead_s_);
        }
    }

    SampleFlags start() override {
        if (!rule_->is_trial()) {
            return schedule_.open();
        }
        trial_start_ = context_.transport.now();
        return 0;
    }

    SampleFlags finish(LocalTime end) override {
        if (rule_->is_trial()) {
            shortest_s_ = std::min(shortest_s_, end - trial_start_);
            return 0;
        }
        last_end_ = std::max(last_end_, context_.clock.to_global(end));
        return rule_->flags_overruns() && schedule_.is_outlasted(end) ? overrun_flag : SampleFlags{0};
    }

    [[nodiscard]] std::uint64_t next_batch(std::uint64_t missing) override { return rule_->next_batch(missing); }

    [[nodiscard]] bool ends_cases() const override { return rule_->ends_cases(); }

    void judge(std::span<SampleFlags> flags) override {
        bool is_usable = false;
        if (rule_->is_trial()) {
            rule_->estimate(control::largest(context_.transport, shortest_s_));
        } else {
            const GlobalTime announced = schedule_.anchored_at() - lead_s_;
            const GlobalTime ended(control::largest(context_.transport, last_end_.s));
            is_usable = rule_->judge({flags, ended - announced});
        }
        for (SampleFlags& one : flags) {
            one = static_cast<SampleFlags>(one | (is_usable ? 0 : rejected_flag));
        }
    }

    [[nodiscard]] double window_s() const override { return schedule_.size_s(); }
    [[nodiscard]] std::optional<GlobalTime> instant() const override {
        return rule_->is_trial() ? std::nullopt : std::optional(schedule_.deadline());
    }

private:
    ProcSyncContext context_;
    procsync::WindowSchedule schedule_;
    std::unique_ptr<procsync::WindowRule> rule_;
    double longest_s_;
    double least_lead_s_ = 0.0;
    double lead_s_ = 0.0;
    LocalTime trial_start_;
    double shortest_s_ = 0.0; ///< of the calls of a trial
    GlobalTime last_end_;     ///< of this batch
};

} // namespace

namespace procsync {
extern const ProcSyncMember window_adaptive;
const ProcSyncMember window_adaptive = {
    {"window-adaptive", "windows whose size is found while measuring, by SKaMPI's or NBCBench's rule",
     "Worsch et al. 2002; Hoefler et al. 2007; Hunold and Carpen-Amarie 2015, algorithms 10 and 14",
     window_adaptive_parameters},
    [](const Bound& bound, const ProcSyncContext& context) -> std::unique_ptr<ProcSync> {
        return std::make_unique<WindowAdaptive>(bound, context);
    }};
} // namespace procsync

} // namespace ictus
