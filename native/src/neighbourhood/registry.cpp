#include "neighbourhood/neighbourhoods.hpp"

namespace ictus::neighbourhood {

extern const NeighbourhoodMember list, moore, vonneumann;

const Registry<Neighbourhood, int>& registry() {
    static const Registry<Neighbourhood, int> all{"neighbourhood",
                                                  "whom every rank of a torus exchanges blocks with, the same for all",
                                                  {&moore, &vonneumann, &list}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace ictus::neighbourhood
