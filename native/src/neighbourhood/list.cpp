// `list`: neighbours one by one, `list(at(1,0),at(-2,3))`. A neighbour may be named twice, and be the rank itself.
#include "base/error.hpp"
#include "neighbourhood/neighbourhoods.hpp"

#include <charconv>

namespace ictus::neighbourhood {
namespace {

constexpr Parameter list_parameters[] = {
    {.name = "neighbours",
     .type = Parameter::Type::list,
     .default_value = "at(1,0),at(0,1)",
     .help = "each as `at(...)` with the steps along each dimension"},
};

int parse_step(const Spec& neighbour, const Spec& step) {
    int value = 0;
    const char* const end = step.name.data() + step.name.size();
    const auto [stopped, error] = std::from_chars(step.name.data(), end, value);
    if (error != std::errc() || stopped != end || !step.arguments.empty()) {
        throw usage_error("neighbourhood 'list', neighbour '" + to_string(neighbour) + "': '" + to_string(step) +
                          "' is not a whole number of steps");
    }
    return value;
}

Offset parse_neighbour(const Spec& neighbour, int dimensions) {
    if (neighbour.name != "at" || neighbour.arguments.size() != static_cast<std::size_t>(dimensions)) {
        throw usage_error("neighbourhood 'list': '" + to_string(neighbour) + "' is not at(...) with " +
                          std::to_string(dimensions) + " steps, one for each dimension of the torus");
    }
    Offset offset;
    for (const Argument& step : neighbour.arguments) {
        offset.push_back(parse_step(neighbour, step.value));
    }
    return offset;
}

} // namespace

extern const NeighbourhoodMember list;
const NeighbourhoodMember list = {{"list", "neighbours one by one", "", list_parameters},
                                  [](const Bound& bound, int dimensions) {
                                      auto all = std::make_unique<Neighbourhood>();
                                      for (const Spec& neighbour : bound.list("neighbours")) {
                                          all->push_back(parse_neighbour(neighbour, dimensions));
                                      }
                                      return all;
                                  }};

} // namespace ictus::neighbourhood
