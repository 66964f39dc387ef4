#include "communicator/communicator.hpp"

namespace ictus::communicator {

extern const CommunicatorMember halves, hosts, reversed, world;

const Registry<CommunicatorChoice>& registry() {
    static const Registry<CommunicatorChoice> all{
        "communicator", "which ranks of a launch call together", {&world, &halves, &hosts, &reversed}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

// Every member of this family is a CommunicatorMember.
const CommunicatorMember& traits(std::string_view name) {
    return static_cast<const CommunicatorMember&>(family().find(name));
}

} // namespace ictus::communicator
