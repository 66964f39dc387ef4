// `vonneumann`: all ranks within so many steps in all dimensions together.
#include "neighbourhood/neighbourhoods.hpp"

namespace ictus::neighbourhood {
namespace {

constexpr Parameter vonneumann_parameters[] = {
    {.name = "radius",
     .type = Parameter::Type::count,
     .default_value = "1",
     .help = "steps in all dimensions together",
     .minimum = 1,
     .maximum = 10},
};

} // namespace

extern const NeighbourhoodMember vonneumann;
const NeighbourhoodMember vonneumann = {
    {"vonneumann", "all within so many steps in all dimensions together: 4 in two dimensions, 6 in three", "",
     vonneumann_parameters},
    [](const Bound& bound, int dimensions) {
        return std::make_unique<Neighbourhood>(ictus::von_neumann(dimensions, static_cast<int>(bound.count("radius"))));
    }};

} // namespace ictus::neighbourhood
