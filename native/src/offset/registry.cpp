#include "offset/offset.hpp"

namespace ictus::offset {

extern const OffsetMember skampi;
extern const OffsetMember min_rtt;
extern const OffsetMember quickest_quarter;
extern const OffsetMember mean_rtt;
extern const OffsetMember cristian;
extern const OffsetMember hull;

const Registry<OffsetEstimator>& registry() {
    static const Registry<OffsetEstimator> all{"offset",
                                               "how the offset between two clocks is estimated",
                                               {&skampi, &min_rtt, &quickest_quarter, &mean_rtt, &cristian, &hull}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::offset
