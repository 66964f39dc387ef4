#include "clocksync/clocksync.hpp"

namespace ictus::clocksync {

extern const ClockSyncMember none;
extern const ClockSyncMember hca3;
extern const ClockSyncMember hca3_offset;
extern const ClockSyncMember propagate;
extern const ClockSyncMember hierarchical;

const Registry<ClockSync>& registry() {
    static const Registry<ClockSync> all{
        "clocksync", "how all ranks come to one global time", {&none, &hca3, &hca3_offset, &propagate, &hierarchical}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::clocksync
