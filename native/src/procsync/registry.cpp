#include "procsync/procsync.hpp"

namespace ictus::procsync {

extern const ProcSyncMember none;
extern const ProcSyncMember barrier;
extern const ProcSyncMember window;

const Registry<ProcSync, const SyncPlace&>& registry() {
    static const Registry<ProcSync, const SyncPlace&> all{
        "procsync", "how processes are started together", {&none, &barrier, &window}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::procsync
