#include "workload/counts/counts.hpp"

namespace ictus::counts {

extern const CountMember equal, linear, spike, random;

const Registry<CountDistribution>& registry() {
    static const Registry<CountDistribution> all{
        "counts", "how the blocks of an operation differ in size", {&equal, &linear, &spike, &random}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::counts
