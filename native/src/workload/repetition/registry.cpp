#include "workload/repetition/repetition.hpp"

namespace ictus::repetition {

extern const RepetitionMember fixed;
extern const RepetitionMember time;
extern const RepetitionMember rse;
extern const RepetitionMember interval;
extern const RepetitionMember nrep;

const Registry<Repetition>& registry() {
    static const Registry<Repetition> all{
        "repetition", "when a case has enough samples", {&fixed, &time, &rse, &interval, &nrep}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::repetition
