#include "workload/pattern/pattern.hpp"

namespace ictus::pattern {

extern const PatternMember ascending;
extern const PatternMember descending;
extern const PatternMember random;
extern const PatternMember one_late;

const Registry<Pattern, int>& registry() {
    static const Registry<Pattern, int> all{"pattern",
                                            "who arrives when, where ranks are not to arrive together",
                                            {&ascending, &descending, &random, &one_late}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::pattern
