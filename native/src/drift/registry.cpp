#include "drift/drift.hpp"

namespace ictus::drift {

extern const DriftMember offset_only;
extern const DriftMember regression;
extern const DriftMember hull;

const Registry<DriftModel>& registry() {
    static const Registry<DriftModel> all{
        "drift", "how a clock's drift is estimated", {&offset_only, &regression, &hull}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::drift
