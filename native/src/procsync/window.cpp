// `window`: repetition k starts at anchor + k * size on the global clock. Worsch et al. 2002; Hunold and Carpen-Amarie
// 2016, sec. 4.
//
// With one anchor for a whole case, a stall of 36 ms voids 360 windows of 100 us. So the root announces a new anchor
// every `batch` windows: a stall costs at most the rest of its batch. All ranks follow the same announcements and agree
// on the schedule.
#include "procsync/window_schedule.hpp"

#include <algorithm>

namespace ictus {
namespace {

constexpr double auto_factor = 3.0;     // times the largest latency of the warm-ups
constexpr double least_window_s = 2e-6; // the work between two calls takes a fraction of this

constexpr Parameter window_parameters[] = {
    {.name = "size",
     .type = Parameter::Type::duration,
     .default_value = "auto",
     .help = "length of a window; auto: three times the largest latency of the warm-ups",
     .minimum = 1e-7,
     .maximum = 3600,
     .allows_auto = true},
    {.name = "lead",
     .type = Parameter::Type::duration,
     .default_value = "auto",
     .help = "from announcing an anchor to it; auto: the window or twice the broadcast latency, whichever is longer",
     .minimum = 0,
     .maximum = 3600,
     .allows_auto = true},
    {.name = "batch",
     .type = Parameter::Type::count,
     .default_value = "20",
     .help = "windows between two anchors",
     .minimum = 1,
     .maximum = 1e9},
};

class FixedWindow final : public ProcSync {
public:
    FixedWindow(const Bound& bound, const ProcSyncContext& context)
        : context_(context), schedule_(context), batch_(bound.count("batch")),
          fixed_size_s_(bound.is_auto("size") ? 0.0 : bound.real("size")),
          fixed_lead_s_(bound.is_auto("lead") ? -1.0 : bound.real("lead")) {
        procsync::require_global_time(context, "window");
    }

    void prepare(double latency_s) override {
        size_s_ = fixed_size_s_ > 0.0 ? fixed_size_s_ : std::max(auto_factor * latency_s, least_window_s);
        lead_s_ = fixed_lead_s_ >= 0.0 ? fixed_lead_s_ : std::max(size_s_, 2.0 * procsync::broadcast_latency(context_));
    }

    void begin() override { left_ = 0; } // the next start announces a fresh anchor

    SampleFlags start() override {
        if (left_ == 0) {
            schedule_.anchor(size_s_, lead_s_);
            left_ = batch_;
        }
        --left_;
        return schedule_.open();
    }

    SampleFlags finish(LocalTime end) override { return schedule_.is_outlasted(end) ? overrun_flag : SampleFlags{0}; }

    [[nodiscard]] double window_s() const override { return size_s_; }
    [[nodiscard]] std::optional<GlobalTime> instant() const override { return schedule_.deadline(); }

private:
    ProcSyncContext context_;
    procsync::WindowSchedule schedule_;
    std::uint64_t batch_;
    double fixed_size_s_; ///< 0: auto
    double fixed_lead_s_; ///< negative: auto
    double size_s_ = 0.0;
    double lead_s_ = 0.0;
    std::uint64_t left_ = 0; ///< windows until the next anchor
};

} // namespace

namespace procsync {
extern const ProcSyncMember window;
const ProcSyncMember window = {{"window", "starts at fixed distances on the global clock, re-anchored every batch",
                                "Worsch et al. 2002; Hunold and Carpen-Amarie 2016, sec. 4", window_parameters},
                               [](const Bound& bound, const ProcSyncContext& context) -> std::unique_ptr<ProcSync> {
                                   return std::make_unique<FixedWindow>(bound, context);
                               }};
} // namespace procsync

} // namespace ictus
