#include "clocksync/sharing.hpp"

#include "transport/control.hpp"
#include "transport/sub_transport.hpp"

namespace ictus::clocksync {

Synchronised share(Transport& transport, const Domains& domains, const Synchronised& leaders) {
    const int leader = domains.leader_of[static_cast<std::size_t>(transport.rank())];
    const std::vector<int> members = domains.members(leader);
    if (members.size() == 1) {
        return leaders;
    }
    SubTransport domain(transport, members);
    Synchronised own = control::broadcast_value(domain, leaders);
    if (domain.rank() != 0) {
        own.bound.half_width += shortest_step(transport);
    }
    return own;
}

} // namespace ictus::clocksync
