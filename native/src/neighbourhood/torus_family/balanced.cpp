// `balanced`: as square as the number of ranks lets it be, by our own factorisation: MPI_Dims_create's is far from
// balanced in some libraries (Traeff and Luebbe 2015).
#include "neighbourhood/torus_family/tori.hpp"

namespace ictus::torus {
namespace {

constexpr Parameter balanced_parameters[] = {
    {.name = "dimensions",
     .type = Parameter::Type::count,
     .default_value = "2",
     .help = "their number",
     .minimum = 1,
     .maximum = 6},
};

} // namespace

extern const TorusMember balanced;
const TorusMember balanced = {
    {"balanced", "as square as the number of ranks lets it be, the longest dimension first", "", balanced_parameters},
    [](const Bound& bound, int n_ranks) {
        return std::make_unique<Torus>(balanced_lengths(n_ranks, static_cast<int>(bound.count("dimensions"))));
    }};

} // namespace ictus::torus
