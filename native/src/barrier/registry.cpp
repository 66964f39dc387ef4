#include "barrier/barrier.hpp"

namespace ictus::barrier {

extern const BarrierMember library;
extern const BarrierMember dissemination;

const Registry<Barrier>& registry() {
    static const Registry<Barrier> all{"barrier", "how ranks wait for each other", {&library, &dissemination}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::barrier
