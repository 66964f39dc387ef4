// `round-time`: as many repetitions as fit into a slice of time. Before each one the root announces the next start, now
// + slack on the global clock, or that the slice is spent; so all ranks stop before the same repetition. Hunold and
// Carpen-Amarie 2018.
//
// The root waits for all before it announces (gather=on): after a call that the root leaves early, as it may a
// broadcast, it would otherwise announce one start after the other that nobody can meet. gather=off is the scheme as
// first published. No start is announced that lies behind the end of the slice, so that at most the call itself ends
// after it; the first is always announced.
//
// With slack=auto the slack is three times the latency of an announcement: measured first by probes, then taken
// from the announcements themselves: their median since the last batch, the largest of all ranks.
#include "base/summary.hpp"
#include "procsync/window_schedule.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace ictus {
namespace {

constexpr double slack_factor = 3.0;
constexpr double least_slack_s = 1e-6;
constexpr std::uint64_t announcements_a_batch = 100;

constexpr Parameter round_time_parameters[] = {
    {.name = "slice",
     .type = Parameter::Type::duration,
     .default_value = "500ms",
     .help = "time to spend on the repetitions of a case",
     .minimum = 1e-6,
     .maximum = 86400},
    {.name = "slack",
     .type = Parameter::Type::duration,
     .default_value = "auto",
     .help = "time from the announcement of a start to the start; auto: three times the latency of the announcements, "
             "as it changes",
     .minimum = 0,
     .maximum = 3600,
     .allows_auto = true},
    {.name = "gather",
     .type = Parameter::Type::flag,
     .default_value = "on",
     .help = "the root waits for all ranks before it announces a start"},
};

class RoundTime final : public ProcSync {
public:
    RoundTime(const Bound& bound, const ProcSyncContext& context)
        : context_(context), slice_s_(bound.real("slice")), is_slack_auto_(bound.is_auto("slack")),
          slack_s_(is_slack_auto_ ? 0.0 : bound.real("slack")), gathers_(bound.flag("gather")) {
        procsync::require_global_time(context, "round-time");
        latencies_.reserve(announcements_a_batch);
    }

    void prepare(double) override {
        if (is_slack_auto_) {
            follow(procsync::broadcast_latency(context_));
        }
        slice_end_ = std::nullopt;
        is_over_ = false;
    }

    SampleFlags start() override {
        if (is_over_ || (is_over_ = !hear_announcement())) {
            return over_flag;
        }
        if (context_.clock.now() > deadline_) {
            return late_flag;
        }
        context_.clock.wait_for_start(deadline_, slack_s_);
        return 0;
    }

    /// The slice alone decides how many there are. Batches are bounded, for the slack is adapted between them.
    [[nodiscard]] std::uint64_t next_batch(std::uint64_t) override { return is_over_ ? 0 : announcements_a_batch; }

    [[nodiscard]] bool ends_cases() const override { return true; }

    void judge(std::span<SampleFlags>) override {
        if (is_slack_auto_ && !latencies_.empty()) {
            follow(control::largest(context_.transport, summarise(std::exchange(latencies_, {})).median));
            latencies_.reserve(announcements_a_batch);
        }
    }

    [[nodiscard]] std::optional<GlobalTime> instant() const override { return deadline_; }

private:
    struct RoundAnnouncement {
        GlobalTime deadline;
        bool is_over;
    };

    /// False: the slice is spent.
    bool hear_announcement() {
        if (gathers_) {
            procsync::gather_at_root(context_.transport);
        }
        const RoundAnnouncement heard = control::broadcast_value(context_.transport, next_announcement());
        deadline_ = heard.deadline;
        latencies_.push_back(context_.clock.now() - (heard.deadline - slack_s_));
        return !heard.is_over;
    }

    /// The root's counts; that of other ranks is ignored.
    RoundAnnouncement next_announcement() {
        const GlobalTime next = context_.clock.now() + slack_s_;
        if (!slice_end_) {
            slice_end_ = next + slice_s_;
        }
        return {next, next >= *slice_end_};
    }

    void follow(double latency_s) { slack_s_ = std::max(slack_factor * latency_s, least_slack_s); }

    ProcSyncContext context_;
    double slice_s_;
    bool is_slack_auto_;
    double slack_s_;
    bool gathers_;
    std::optional<GlobalTime> slice_end_; ///< the root's; none before the first start
    bool is_over_ = false;
    GlobalTime deadline_;
    std::vector<double> latencies_; ///< of the announcements of this batch
};

} // namespace

namespace procsync {
extern const ProcSyncMember round_time;
const ProcSyncMember round_time = {
    {"round-time", "the root announces each start on the global clock, until the time of the case is spent",
     "Hunold and Carpen-Amarie 2018", round_time_parameters},
    [](const Bound& bound, const ProcSyncContext& context) -> std::unique_ptr<ProcSync> {
        return std::make_unique<RoundTime>(bound, context);
    }};
} // namespace procsync

} // namespace ictus
