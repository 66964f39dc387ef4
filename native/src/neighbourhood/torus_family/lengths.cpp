// `lengths`: as given, `lengths(4,2)`.
#include "base/error.hpp"
#include "base/quantity.hpp"
#include "neighbourhood/torus_family/tori.hpp"

namespace ictus::torus {
namespace {

constexpr Parameter lengths_parameters[] = {
    {.name = "lengths",
     .type = Parameter::Type::list,
     .default_value = "1",
     .help = "ranks along each dimension; their product is the number of ranks"},
};

} // namespace

std::vector<int> given_lengths(const std::vector<Spec>& values, int n_ranks, const std::string& what) {
    std::vector<int> lengths;
    std::uint64_t product = 1;
    std::string text;
    for (const Spec& value : values) {
        const std::uint64_t length = parse_count(to_string(value), what);
        text += (text.empty() ? "" : " x ") + std::to_string(length);
        product = length > static_cast<std::uint64_t>(n_ranks) ? 0 : product * length;
        lengths.push_back(static_cast<int>(length));
    }
    if (product != static_cast<std::uint64_t>(n_ranks)) {
        throw usage_error(what + ": " + text + " places are not the " + std::to_string(n_ranks) +
                          " ranks; the product of the lengths must be their number");
    }
    return lengths;
}

extern const TorusMember lengths;
const TorusMember lengths = {
    {"lengths", "as long in each dimension as given", "", lengths_parameters}, [](const Bound& bound, int n_ranks) {
        return std::make_unique<Torus>(given_lengths(bound.list("lengths"), n_ranks, "torus 'lengths'"));
    }};

} // namespace ictus::torus
