// `window`: repetition k starts at anchor + k * size on the global clock. Worsch et al. 2002; Hunold and Carpen-Amarie
// 2016, sec. 4.
//
// With one anchor for a whole case, a stall of 36 ms voids 360 windows of 100 us. So the root announces a new anchor
// every `batch` windows: a stall costs at most the rest of its batch. All ranks follow the same announcements and agree
// on the schedule.
//
// A sample is invalid if one rank is late, so windows that fit a few ranks are too short for thousands: the operating
// system holds one of them at nearly every start. A warm-up cannot tell, for its ranks start when they leave a barrier.
// So a window that was not given is tried first: a batch with more than one invalid sample is rejected, and the window
// doubled. The limit is for machines whose cores are shared: there longer windows find as many stalls.
#include "procsync/window_schedule.hpp"

#include <algorithm>

namespace ictus {
namespace {

constexpr double auto_factor = 3.0;     // times the largest latency of the warm-ups
constexpr double least_window_s = 2e-6; // the work between two calls takes a fraction of this

constexpr int most_doublings = 3;
constexpr std::uint64_t longest_trial = 40; // of so many, if a tenth is invalid, more than one is with a chance of 0.92
constexpr std::uint64_t shortest_trial = 10;
constexpr std::uint64_t samples_a_trial = 5; // that are wanted, for each of a trial: all trials are fewer than those

constexpr Parameter window_parameters[] = {
    {.name = "size",
     .type = Parameter::Type::duration,
     .default_value = "auto",
     .help = "length of a window; auto: three times the largest latency of the warm-ups, doubled up to three times "
             "while more than one sample of a trial is invalid",
     .minimum = 1e-7,
     .maximum = 3600,
     .allows_auto = true},
    {.name = "lead",
     .type = Parameter::Type::duration,
     .default_value = "auto",
     .help = "time from the announcement of an anchor to the anchor; auto: the window or twice the broadcast latency, "
             "whichever is longer",
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
        doublings_left_ = fixed_size_s_ > 0.0 ? 0 : most_doublings;
        size_s_ = fixed_size_s_ > 0.0 ? fixed_size_s_ : std::max(auto_factor * latency_s, least_window_s);
        lead_s_ = fixed_lead_s_ >= 0.0 ? fixed_lead_s_ : std::max(size_s_, 2.0 * procsync::broadcast_latency(context_));
    }

    [[nodiscard]] std::uint64_t next_batch(std::uint64_t missing) override {
        const std::uint64_t trial = std::min(missing / samples_a_trial, longest_trial);
        is_trial_ = doublings_left_ > 0 && trial >= shortest_trial;
        return is_trial_ ? trial : missing;
    }

    void judge(std::span<SampleFlags> flags) override {
        if (!is_trial_) {
            return;
        }
        if (std::ranges::count_if(flags, [](SampleFlags one) { return one != 0; }) <= 1) {
            doublings_left_ = 0; // long enough
            return;
        }
        for (SampleFlags& one : flags) {
            one |= rejected_flag; // its valid samples are the short ones
        }
        --doublings_left_;
        size_s_ *= 2.0;
        lead_s_ = fixed_lead_s_ >= 0.0 ? lead_s_ : std::max(lead_s_, size_s_);
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
    int doublings_left_ = 0;
    bool is_trial_ = false; ///< the batch that runs
};

} // namespace

namespace procsync {
extern const ProcSyncMember window;
const ProcSyncMember window = {{"window",
                                "starts at fixed distances on the global clock, counted from a new anchor every batch",
                                "Worsch et al. 2002; Hunold and Carpen-Amarie 2016, sec. 4", window_parameters},
                               [](const Bound& bound, const ProcSyncContext& context) -> std::unique_ptr<ProcSync> {
                                   return std::make_unique<FixedWindow>(bound, context);
                               }};
} // namespace procsync

} // namespace ictus
