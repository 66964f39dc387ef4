#include "procsync/procsync.hpp"

namespace ictus::procsync {

extern const ProcSyncMember none;
extern const ProcSyncMember barrier;
extern const ProcSyncMember window;
extern const ProcSyncMember window_adaptive;
extern const ProcSyncMember round_time;
extern const ProcSyncMember arrival;
extern const ProcSyncMember harmonize;

const Registry<ProcSync, const ProcSyncContext&>& registry() {
    static const Registry<ProcSync, const ProcSyncContext&> all{
        "procsync",
        "how processes are started together",
        {&none, &barrier, &window, &window_adaptive, &round_time, &harmonize, &arrival}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::procsync
