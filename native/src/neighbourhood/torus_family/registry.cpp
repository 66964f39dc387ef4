#include "neighbourhood/torus_family/tori.hpp"

namespace ictus::torus {

extern const TorusMember balanced, lengths;

const Registry<Torus, int>& registry() {
    static const Registry<Torus, int> all{
        "torus", "the grid, closed upon itself, on which a sparse exchange places the ranks", {&balanced, &lengths}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::torus
