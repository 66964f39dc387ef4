#include "barrier/barrier.hpp"

namespace ictus::barrier {

extern const BarrierMember library;
extern const BarrierMember double_library;
extern const BarrierMember linear;
extern const BarrierMember binary_tree;
extern const BarrierMember binomial;
extern const BarrierMember double_ring;
extern const BarrierMember recursive_doubling;
extern const BarrierMember dissemination;
extern const BarrierMember k_dissemination;

const Registry<Barrier>& registry() {
    static const Registry<Barrier> all{"barrier",
                                       "how ranks wait for each other",
                                       {&library, &double_library, &linear, &binary_tree, &binomial, &double_ring,
                                        &recursive_doubling, &dissemination, &k_dissemination}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

std::unique_ptr<Barrier> make_own() { return registry().make(bind(family(), {"dissemination", {}})); }

} // namespace ictus::barrier
