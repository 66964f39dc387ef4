#include "workload/layout/layout.hpp"

namespace ictus::layout {

extern const LayoutMember basic, contiguous, indexed, vector;

const Registry<Layout>& registry() {
    static const Registry<Layout> all{
        "layout", "how the elements of a message lie in memory", {&basic, &contiguous, &vector, &indexed}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

std::uint64_t elements_of(const Bound& layout) { return registry().make(layout)->shape().n_elements(); }

} // namespace ictus::layout
