#include "neighbourhood/isomorphic.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <cstdlib>

namespace ictus {
namespace {

/// All offsets but the zero with every step in [-radius, radius], in lexicographic order.
Neighbourhood cube(int dimensions, int radius) {
    Neighbourhood all;
    Offset offset(static_cast<std::size_t>(dimensions), -radius);
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

int distance(const Offset& offset) {
    int sum = 0;
    for (const int step : offset) {
        sum += std::abs(step);
    }
    return sum;
}

/// The ranks stand in a circle in an order that the seed decides. An edge leads some places on: by one of the first
/// `degree` of the shuffled distances, so that no edge is there twice and nobody has more than `degree` on either side.
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
        const auto place =
            static_cast<int>(std::find(at_.begin(), at_.end(), static_cast<std::uint64_t>(rank)) - at_.begin());
        GraphNeighbours neighbours;
        for (const std::uint64_t distance : distances_) {
            const int there = (place + static_cast<int>(distance)) % n_ranks_;
            const int here = (place - static_cast<int>(distance) + n_ranks_) % n_ranks_;
            if (is_edge(place, there)) {
                neighbours.destinations.push_back(rank_at(there));
            }
            if (is_edge(here, place)) {
                neighbours.sources.push_back(rank_at(here));
            }
        }
        std::ranges::sort(neighbours.sources);
        std::ranges::sort(neighbours.destinations);
        return neighbours;
    }

private:
    [[nodiscard]] int rank_at(int place) const { return static_cast<int>(at_[static_cast<std::size_t>(place)]); }

    /// Place 0 keeps all its edges. The spare distance is nobody's, so that the places this far on and back from it can
    /// go without.
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
    std::erase_if(all, [radius](const Offset& offset) { return distance(offset) > radius; });
    return all;
}

int graph_degree(int n_ranks, int degree) { return std::min(n_ranks, degree); }

GraphNeighbours random_graph(int n_ranks, int rank, int degree, std::uint64_t seed) {
    return RandomCircle(n_ranks, degree, seed).of(rank);
}

} // namespace ictus
