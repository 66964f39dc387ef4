#include "tool/families.hpp"

#include "barrier/barrier.hpp"
#include "cache/cache.hpp"
#include "clock/clock.hpp"
#include "clocksync/clocksync.hpp"
#include "communicator/communicator.hpp"
#include "counts/counts.hpp"
#include "drift/drift.hpp"
#include "layout/layout.hpp"
#include "neighbourhood/neighbourhoods.hpp"
#include "offset/offset.hpp"
#include "operation/operation.hpp"
#include "pattern/pattern.hpp"
#include "procsync/procsync.hpp"
#include "repetition/repetition.hpp"
#include "scheme/scheme.hpp"
#include "topology/topology.hpp"
#include "torus/tori.hpp"

namespace ictus::tool {

std::vector<const FamilyInfo*> families() {
    return {&clock::family(),     &offset::family(),   &drift::family(),        &clocksync::family(),
            &barrier::family(),   &procsync::family(), &pattern::family(),      &scheme::family(),
            &operation::family(), &topology::family(), &torus::family(),        &neighbourhood::family(),
            &counts::family(),    &layout::family(),   &communicator::family(), &cache::family(),
            &repetition::family()};
}

} // namespace ictus::tool
