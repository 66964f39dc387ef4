// `window`: repetition k starts at anchor + k * size on the global clock. Worsch et al. 2002; Hunold and Carpen-Amarie
// 2016, sec. 4.
//
// With one anchor for a whole case, a stall of 36 ms voids 360 windows of 100 us. So the root announces a fresh anchor
// every `batch` windows: a stall costs at most the rest of its batch. Every rank follows the same announcements, so all
// always agree on the schedule.
#include "procsync/procsync.hpp"

#include "core/error.hpp"
#include "core/summary.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <vector>

namespace ictus {
namespace {

constexpr double auto_factor = 3.0;     // times the largest latency of the warm-ups
constexpr double least_window_s = 2e-6; // bookkeeping between two calls takes a fraction of this
constexpr int latency_probes = 20;

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

class Window final : public ProcSync {
public:
    Window(const Bound& bound, const SyncPlace& place)
        : transport_(place.transport), clock_(place.clock), batch_(bound.count("batch")),
          fixed_size_s_(bound.is_auto("size") ? 0.0 : bound.real("size")),
          fixed_lead_s_(bound.is_auto("lead") ? -1.0 : bound.real("lead")) {
        if (!place.synchronised) {
            throw usage_error(
                "procsync 'window' needs a global time, and clocksync is 'none'; use --clocksync ictus or "
                "procsync barrier");
        }
    }

    void prepare(double latency_s) override {
        size_s_ = fixed_size_s_ > 0.0 ? fixed_size_s_ : std::max(auto_factor * latency_s, least_window_s);
        lead_s_ = fixed_lead_s_ >= 0.0 ? fixed_lead_s_ : std::max(size_s_, 2.0 * broadcast_latency());
    }

    void begin() override { next_ = batch_; } // the next start announces a fresh anchor

    SampleFlags start() override {
        if (next_ == batch_) {
            announce_anchor();
        }
        deadline_ = anchor_ + static_cast<double>(next_++) * size_s_;
        if (clock_.now() > deadline_) {
            return late_flag;
        }
        clock_.wait_until(deadline_);
        return 0;
    }

    SampleFlags finish(LocalTime end) override {
        return clock_.to_global(end) > deadline_ + size_s_ ? long_flag : SampleFlags{0};
    }

    [[nodiscard]] double window_s() const override { return size_s_; }

private:
    /// The root waits for all before it looks at the clock: the root of a broadcast could otherwise run ahead of a
    /// stalled rank and announce one lost batch after the other.
    void announce_anchor() {
        std::uint8_t arrived = 1;
        control::reduce(transport_, std::span(&arrived, 1),
                        [](std::uint8_t& into, std::uint8_t from) { into &= from; });
        anchor_ = control::broadcast_value(transport_, clock_.now() + lead_s_);
        next_ = 0;
    }

    /// Median over probes of the time from the root's send to this rank's receive, the largest of all ranks.
    double broadcast_latency() {
        std::vector<double> latencies;
        for (int i = 0; i < latency_probes; ++i) {
            const GlobalTime sent = control::broadcast_value(transport_, clock_.now());
            latencies.push_back(clock_.now() - sent);
        }
        return control::largest(transport_, summarise(latencies).median);
    }

    Transport& transport_;
    GlobalClock& clock_;
    std::uint64_t batch_;
    double fixed_size_s_; ///< 0: auto
    double fixed_lead_s_; ///< negative: auto
    double size_s_ = 0.0;
    double lead_s_ = 0.0;
    GlobalTime anchor_;
    GlobalTime deadline_;
    std::uint64_t next_ = 0;
};

} // namespace

namespace procsync {
extern const ProcSyncMember window;
const ProcSyncMember window = {{"window", "starts at fixed distances on the global clock, re-anchored every batch",
                                "Worsch et al. 2002; Hunold and Carpen-Amarie 2016, sec. 4", window_parameters},
                               [](const Bound& bound, const SyncPlace& place) -> std::unique_ptr<ProcSync> {
                                   return std::make_unique<Window>(bound, place);
                               }};
} // namespace procsync

} // namespace ictus
