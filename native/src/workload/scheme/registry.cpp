#include "workload/scheme/scheme.hpp"

namespace ictus::scheme {

extern const SchemeMember per_call;
extern const SchemeMember loop;
extern const SchemeMember loop_barrier;

const Registry<Scheme>& registry() {
    static const Registry<Scheme> all{
        "scheme", "how calls are strung together and timed", {&per_call, &loop, &loop_barrier}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::scheme
