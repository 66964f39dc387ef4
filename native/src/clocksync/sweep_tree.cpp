#include "clocksync/sweep_tree.hpp"

#include <algorithm>

namespace ictus::clocksync {

SweepTree::SweepTree(Transport& transport, const Domains& domains, int arity) : transport_(transport) {
    // All leaders are listed here alone, and forgotten: what is kept does not grow with the ranks.
    const std::vector<int> leaders = all_leaders(transport, domains);
    n_leaders_ = static_cast<int>(leaders.size());
    const auto own = std::ranges::lower_bound(leaders, transport.rank()) - leaders.begin();
    slots_ = tree_slots(n_leaders_, static_cast<int>(own), arity);
    for (auto& meeting : slots_) {
        if (!meeting) {
            continue;
        }
        meeting->peer = leaders[static_cast<std::size_t>(meeting->peer)];
        if (meeting->role == Role::client) {
            parent_ = meeting->peer;
        } else {
            children_.push_back(meeting->peer);
        }
    }
}

std::vector<double> SweepTree::gathered(std::vector<double> own) const {
    for (const int child : children_) {
        const std::size_t known = own.size();
        own.resize(known + receive_value<std::size_t>(transport_, child));
        transport_.receive(child, std::as_writable_bytes(std::span(own).subspan(known)));
    }
    if (parent_) {
        send_value(transport_, *parent_, own.size());
        transport_.send(*parent_, std::as_bytes(std::span(own)));
    }
    return own;
}

} // namespace ictus::clocksync
