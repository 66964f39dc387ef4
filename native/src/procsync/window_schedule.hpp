// How ranks agree on a start at one instant of the global clock: the root, rank 0, announces it. Shared by all members
// that start so.
#pragma once

#include "procsync/procsync.hpp"

#include <algorithm>
#include <string_view>

namespace ictus::procsync {

/// Throws a usage Error that names the member where there is no global time to start by.
void require_global_time(const ProcSyncContext& context, std::string_view member);

/// Collective. How long an announcement takes from the root's clock reading to a rank that has it: the median over a
/// few probes, the largest of all ranks, seconds.
[[nodiscard]] double broadcast_latency(const ProcSyncContext& context);

/// Collective: returns at the root after all ranks have arrived. Otherwise the root could run ahead of a stalled rank
/// and announce one lost start after the other.
void gather_at_root(Transport& transport);

/// Collective: the root waits for all ranks and reads its clock; the instant is `lead_s` after that.
[[nodiscard]] GlobalTime announce(const ProcSyncContext& context, double lead_s);

// Windows of one size, one after the other from an anchor on the global clock: what `window` and `window-adaptive`
// share.

class WindowSchedule {
public:
    explicit WindowSchedule(const ProcSyncContext& context) : context_(context) {}

    /// Collective: the first window opens `lead_s` after the root has heard of all.
    void anchor(double size_s, double lead_s) {
        size_s_ = size_s;
        lead_s_ = lead_s;
        anchor_ = announce(context_, lead_s);
        opened_ = 0;
    }

    /// Waits for the next window to open. late_flag where it had opened already, or 0.
    SampleFlags open() {
        deadline_ = anchor_ + static_cast<double>(opened_++) * size_s_;
        if (context_.clock.now() > deadline_) {
            return late_flag;
        }
        context_.clock.wait_for_start(deadline_, std::max(size_s_, lead_s_));
        return 0;
    }

    /// Whether what ended at `end` outlasted the window that is open.
    [[nodiscard]] bool is_outlasted(LocalTime end) const { return context_.clock.to_global(end) > deadline_ + size_s_; }

    [[nodiscard]] GlobalTime anchored_at() const { return anchor_; }
    [[nodiscard]] GlobalTime deadline() const { return deadline_; }
    [[nodiscard]] double size_s() const { return size_s_; }

private:
    ProcSyncContext context_;
    double size_s_ = 0.0;
    double lead_s_ = 0.0;
    GlobalTime anchor_;
    GlobalTime deadline_;
    std::uint64_t opened_ = 0; ///< windows since the anchor
};

} // namespace ictus::procsync
