// `moore`: all ranks within so many steps in every dimension, corners included.
#include "neighbourhood/neighbourhoods.hpp"

namespace ictus::neighbourhood {
namespace {

constexpr Parameter moore_parameters[] = {
    {.name = "radius",
     .type = Parameter::Type::count,
     .default_value = "1",
     .help = "steps in each dimension",
     .minimum = 1,
     .maximum = 10},
};

} // namespace

extern const NeighbourhoodMember moore;
const NeighbourhoodMember moore = {
    {"moore", "all within so many steps in every dimension: 8 in two dimensions, 26 in three", "", moore_parameters},
    [](const Bound& bound, int dimensions) {
        return std::make_unique<Neighbourhood>(ictus::moore(dimensions, static_cast<int>(bound.count("radius"))));
    }};

} // namespace ictus::neighbourhood
