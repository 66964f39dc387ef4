#include "repetition/repetition.hpp"

namespace ictus::repetition {

extern const RepetitionMember fixed;

const Registry<Repetition>& registry() {
    static const Registry<Repetition> all{"repetition", "when a case has enough samples", {&fixed}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::repetition
