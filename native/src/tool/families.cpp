#include "tool/families.hpp"

#include "barrier/barrier.hpp"
#include "clock/clock.hpp"
#include "clocksync/clocksync.hpp"
#include "drift/drift.hpp"
#include "neighbourhood/neighbourhoods.hpp"
#include "neighbourhood/topology/topology.hpp"
#include "neighbourhood/torus_family/tori.hpp"
#include "offset/offset.hpp"
#include "procsync/procsync.hpp"
#include "workload/cache/cache.hpp"
#include "workload/communicator/communicator.hpp"
#include "workload/counts/counts.hpp"
#include "workload/layout/layout.hpp"
#include "workload/operation/operation.hpp"
#include "workload/pattern/pattern.hpp"
#include "workload/repetition/repetition.hpp"
#include "workload/scheme/scheme.hpp"

namespace ictus::tool {

std::vector<const FamilyInfo*> families() {
    return {&clock::family(),     &offset::family(),   &drift::family(),        &clocksync::family(),
            &barrier::family(),   &procsync::family(), &pattern::family(),      &scheme::family(),
            &operation::family(), &topology::family(), &torus::family(),        &neighbourhood::family(),
            &counts::family(),    &layout::family(),   &communicator::family(), &cache::family(),
            &repetition::family()};
}

} // namespace ictus::tool
