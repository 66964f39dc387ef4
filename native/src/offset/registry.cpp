#include "offset/offset.hpp"

namespace ictus::offset {

extern const OffsetMember skampi;

const Registry<OffsetEstimator>& registry() {
    static const Registry<OffsetEstimator> all{"offset", "how the offset between two clocks is estimated", {&skampi}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::offset
