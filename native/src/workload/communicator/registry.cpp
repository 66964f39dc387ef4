#include "workload/communicator/communicator.hpp"

#include "base/error.hpp"

namespace ictus::communicator {

extern const CommunicatorMember halves, hosts, reversed, world;

const Registry<CommunicatorChoice>& registry() {
    static const Registry<CommunicatorChoice> all{
        "comm", "which ranks of a launch call together", {&world, &halves, &hosts, &reversed}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

// Every member of this family is a CommunicatorMember.
const CommunicatorMember& traits(std::string_view name) {
    return static_cast<const CommunicatorMember&>(family().find(name));
}

int size_of(const Bound& choice, int n_ranks) {
    const int size = registry().make(choice)->size(n_ranks);
    if (size == 0) {
        throw usage_error("communicator '" + to_string(choice.spec()) + "' needs more ranks than the " +
                          std::to_string(n_ranks) + " of this launch");
    }
    return size;
}

} // namespace ictus::communicator
