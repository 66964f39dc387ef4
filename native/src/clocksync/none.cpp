// `none`: no synchronisation. Local clocks are not comparable, so latencies are local durations and windows are
// refused.
#include "clocksync/clocksync.hpp"

namespace ictus {
namespace {

class NoSync final : public ClockSync {
public:
    Synchronised synchronise(Transport&) override { return {}; }
    [[nodiscard]] bool synchronises() const override { return false; }
};

} // namespace

namespace clocksync {
extern const ClockSyncMember none;
const ClockSyncMember none = {{"none", "no synchronisation: local durations only", "", {}},
                              [](const Bound&) -> std::unique_ptr<ClockSync> { return std::make_unique<NoSync>(); }};
} // namespace clocksync

} // namespace ictus
