#include "clocksync/clocksync.hpp"

namespace ictus::clocksync {

extern const ClockSyncMember none;
extern const ClockSyncMember ictus;
extern const ClockSyncMember skampi;
extern const ClockSyncMember netgauge;
extern const ClockSyncMember jk;
extern const ClockSyncMember hca;
extern const ClockSyncMember hca2;
extern const ClockSyncMember hca3;
extern const ClockSyncMember hca3_offset;
extern const ClockSyncMember propagate;
extern const ClockSyncMember hierarchical;
extern const ClockSyncMember extrapolate;

const Registry<ClockSync>& registry() {
    static const Registry<ClockSync> all{"clocksync",
                                         "how all ranks agree on one global time",
                                         {&none, &ictus, &skampi, &netgauge, &jk, &hca, &hca2, &hca3, &hca3_offset,
                                          &propagate, &hierarchical, &extrapolate}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::clocksync

namespace ictus {

Synchronised ClockSync::measure_again(Transport& modelled) {
    const Bound quick = bind(clocksync::family(), parse_spec("hca3-offset(exchanges=100)"));
    return clocksync::registry().make(quick)->synchronise(modelled);
}

} // namespace ictus
