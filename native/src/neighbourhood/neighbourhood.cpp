// Neighbourhoods of a torus, random graphs, and the members of family `neighbourhood`.
#include "neighbourhood/neighbourhood.hpp"

#include "base/error.hpp"
#include "base/random.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace ictus {
namespace {

/// All offsets but the zero with every step in [-radius, radius], in lexicographic order.
Neighbourhood cube(int dimensions, int radius) {
    Neighbourhood all;
    GridOffset offset(static_cast<std::size_t>(dimensions), -radius);
    while (true) {
        if (std::ranges::any_of(offset, [](int step) { return step != 0; })) {
            all.push_back(offset);
        }
        std::size_t k = offset.size();
        while (k > 0 && offset[k - 1] == radius) {
            offset[--k] = -radius;
        }
        if (k == 0) {
            return all;
        }
        ++offset[k - 1];
    }
}

int distance(const GridOffset& offset) {
    int sum = 0;
    for (const int step : offset) {
        sum += std::abs(step);
    }
    return sum;
}

/// The ranks stand in a circle in an order that the seed decides. An edge leads on by one of the first `degree`
/// shuffled distances, so that no edge occurs twice and no rank has more than `degree` on either side.
class RandomCircle {
public:
    RandomCircle(int n_ranks, int degree, std::uint64_t seed)
        : n_ranks_(n_ranks), seed_(seed), at_(shuffled_order(static_cast<std::uint64_t>(n_ranks), seed)),
          distances_(shuffled_order(static_cast<std::uint64_t>(n_ranks), SplitMix64::mix(seed + 1))) {
        const auto used = static_cast<std::size_t>(graph_degree(n_ranks, degree));
        const auto spare = std::find_if(distances_.begin() + static_cast<std::ptrdiff_t>(used), distances_.end(),
                                        [](std::uint64_t distance) { return distance != 0; });
        spare_ = spare == distances_.end() ? 0 : static_cast<int>(*spare);
        distances_.resize(used);
    }

    [[nodiscard]] GraphNeighbours of(int rank) const {
        const auto position =
            static_cast<int>(std::find(at_.begin(), at_.end(), static_cast<std::uint64_t>(rank)) - at_.begin());
        GraphNeighbours neighbours;
        for (const std::uint64_t distance : distances_) {
            const int there = (position + static_cast<int>(distance)) % n_ranks_;
            const int here = (position - static_cast<int>(distance) + n_ranks_) % n_ranks_;
            if (is_edge(position, there)) {
                neighbours.destinations.push_back(rank_at(there));
            }
            if (is_edge(here, position)) {
                neighbours.sources.push_back(rank_at(here));
            }
        }
        std::ranges::sort(neighbours.sources);
        std::ranges::sort(neighbours.destinations);
        return neighbours;
    }

private:
    [[nodiscard]] int rank_at(int position) const { return static_cast<int>(at_[static_cast<std::size_t>(position)]); }

    /// Position 0 keeps all its edges. No edge has the spare distance, so the positions at this distance from 0, on and
    /// back, can be without edges.
    [[nodiscard]] bool is_edge(int from, int to) const {
        if (spare_ != 0 && (to == spare_ || from == n_ranks_ - spare_)) {
            return false;
        }
        if (from == 0 || to == 0) {
            return true;
        }
        const auto edge =
            static_cast<std::uint64_t>(from) * static_cast<std::uint64_t>(n_ranks_) + static_cast<std::uint64_t>(to);
        return SplitMix64::mix(SplitMix64::mix(seed_ + 2) + edge) % 2 == 0;
    }

    int n_ranks_;
    std::uint64_t seed_;
    std::vector<std::uint64_t> at_;
    std::vector<std::uint64_t> distances_;
    int spare_ = 0; ///< 0: there is none
};

} // namespace

Neighbourhood moore(int dimensions, int radius) { return cube(dimensions, radius); }

Neighbourhood von_neumann(int dimensions, int radius) {
    Neighbourhood all = cube(dimensions, radius);
    std::erase_if(all, [radius](const GridOffset& offset) { return distance(offset) > radius; });
    return all;
}

int graph_degree(int n_ranks, int degree) { return std::min(n_ranks, degree); }

GraphNeighbours random_graph(int n_ranks, int rank, int degree, std::uint64_t seed) {
    return RandomCircle(n_ranks, degree, seed).of(rank);
}

namespace neighbourhood {

namespace {

// `moore`: all ranks within `radius` steps in every dimension, corners included.
constexpr Parameter moore_parameters[] = {
    {.name = "radius",
     .type = Parameter::Type::count,
     .default_value = "1",
     .help = "steps in each dimension",
     .minimum = 1,
     .maximum = 10},
};

// `vonneumann`: all ranks within `radius` steps in all dimensions together.
constexpr Parameter vonneumann_parameters[] = {
    {.name = "radius",
     .type = Parameter::Type::count,
     .default_value = "1",
     .help = "steps in all dimensions together",
     .minimum = 1,
     .maximum = 10},
};

// `list`: neighbours one by one, `list(at(1,0),at(-2,3))`. A neighbour may be named twice, and be the rank itself.
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

GridOffset parse_neighbour(const Spec& neighbour, int dimensions) {
    if (neighbour.name != "at" || neighbour.arguments.size() != static_cast<std::size_t>(dimensions)) {
        throw usage_error("neighbourhood 'list': '" + to_string(neighbour) + "' is not at(...) with " +
                          std::to_string(dimensions) + " steps, one for each dimension of the torus");
    }
    GridOffset offset;
    for (const Argument& step : neighbour.arguments) {
        offset.push_back(parse_step(neighbour, step.value));
    }
    return offset;
}

const NeighbourhoodMember moore = {
    {"moore", "all within `radius` steps in every dimension: for radius 1 these are 8 in two dimensions, 26 in three",
     "", moore_parameters},
    [](const Bound& bound, int dimensions) {
        return std::make_unique<Neighbourhood>(ictus::moore(dimensions, static_cast<int>(bound.count("radius"))));
    }};

const NeighbourhoodMember vonneumann = {
    {"vonneumann",
     "all within `radius` steps in all dimensions together: for radius 1 these are 4 in two dimensions, 6 in three", "",
     vonneumann_parameters},
    [](const Bound& bound, int dimensions) {
        return std::make_unique<Neighbourhood>(ictus::von_neumann(dimensions, static_cast<int>(bound.count("radius"))));
    }};

const NeighbourhoodMember list = {{"list", "neighbours one by one", "", list_parameters},
                                  [](const Bound& bound, int dimensions) {
                                      auto all = std::make_unique<Neighbourhood>();
                                      for (const Spec& neighbour : bound.list("neighbours")) {
                                          all->push_back(parse_neighbour(neighbour, dimensions));
                                      }
                                      return all;
                                  }};

} // namespace

const Registry<Neighbourhood, int>& registry() {
    static const Registry<Neighbourhood, int> all{
        "neighbourhood",
        "which ranks every rank of a torus exchanges blocks with, the same for all",
        {&moore, &vonneumann, &list}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace neighbourhood

Links cartesian_links(std::span<const int> lengths, bool periodic, int rank) {
    Links links{std::vector<IncomingBlock>(2 * lengths.size()), static_cast<int>(2 * lengths.size())};
    int stride = 1; // between neighbours; the last dimension's are next to each other
    for (std::size_t k = lengths.size(); k-- > 0;) {
        const int length = lengths[k];
        const int at = rank / stride % length;
        for (const int side : {0, 1}) {
            const int there = side == 0 ? at - 1 : at + 1;
            const auto block = static_cast<int>(2 * k) + side;
            if (periodic || (there >= 0 && there < length)) {
                const int neighbour = rank + ((there + length) % length - at) * stride;
                links.incoming[static_cast<std::size_t>(block)] = {neighbour, block ^ 1};
            }
        }
        stride *= length;
    }
    return links;
}

Links graph_links(int n_ranks, int rank, int degree, std::uint64_t seed) {
    const GraphNeighbours own = random_graph(n_ranks, rank, degree, seed);
    Links links{{}, static_cast<int>(own.destinations.size())};
    for (const int source : own.sources) {
        const auto theirs = random_graph(n_ranks, source, degree, seed).destinations;
        const auto block = std::find(theirs.begin(), theirs.end(), rank) - theirs.begin();
        links.incoming.push_back({source, static_cast<int>(block)});
    }
    return links;
}

} // namespace ictus
