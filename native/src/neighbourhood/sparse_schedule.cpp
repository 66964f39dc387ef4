#include "neighbourhood/sparse_schedule.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

namespace ictus {
namespace {

using Buffer = BlockLocation::Buffer;

/// The rounds that lead to each neighbour.
struct Routes {
    std::vector<GridOffset> jumps;               // one a round
    std::vector<std::vector<std::size_t>> paths; // for each neighbour its rounds, ascending
};

/// The steps of all neighbours along one dimension; steps that are the same on a circle of this length are equal.
std::vector<int> steps_along(const Torus& torus, const Neighbourhood& neighbourhood, std::size_t dimension) {
    const int length = torus.lengths()[dimension];
    const bool is_open = !torus.is_periodic(dimension);
    std::vector<int> steps;
    for (const GridOffset& offset : neighbourhood) {
        steps.push_back(offset[dimension]);
    }
    const auto [least, most] = std::minmax_element(steps.begin(), steps.end());
    if (is_open || steps.empty() || std::max<std::int64_t>(*most, 0) - std::min<std::int64_t>(*least, 0) < length) {
        return steps;
    }
    for (int& step : steps) {
        step = (step % length + length) % length;
    }
    return steps;
}

std::vector<int> distinct_jumps(std::vector<int> steps) {
    std::erase(steps, 0);
    std::ranges::sort(steps);
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    return steps;
}

/// The rounds of one dimension, and for each neighbour which of them it takes.
struct DimensionRoutes {
    std::vector<int> jumps;
    std::vector<std::vector<std::size_t>> taken;
};

DimensionRoutes one_jump_each(const std::vector<int>& steps) {
    DimensionRoutes routes{distinct_jumps(steps), {}};
    for (const int step : steps) {
        const auto found = std::find(routes.jumps.begin(), routes.jumps.end(), step);
        routes.taken.emplace_back();
        if (found != routes.jumps.end()) {
            routes.taken.back().push_back(static_cast<std::size_t>(found - routes.jumps.begin()));
        }
    }
    return routes;
}

/// Every step in [-back, on] as a sum of some of n jumps of 1, 2, 4, ..., 2^(n-1), each with a sign of its own. The
/// jumps at the bits of `back` go backwards, so that all sums together are [-back, 2^n - 1 - back]; what is summed for
/// a step is where the bits of back + step differ from those of back.
DimensionRoutes doubling_jumps(const std::vector<int>& steps) {
    const std::vector<int> jumps = distinct_jumps(steps);
    if (jumps.empty()) {
        return one_jump_each(steps);
    }
    int unit = 0;
    for (const int jump : jumps) {
        unit = std::gcd(unit, jump);
    }
    const auto back = static_cast<std::uint64_t>(-(std::min(jumps.front(), 0) / unit));
    const auto on = static_cast<std::uint64_t>(std::max(jumps.back(), 0) / unit);
    const auto n = static_cast<std::size_t>(std::bit_width(back + on));
    if (jumps.size() <= n) {
        return one_jump_each(steps);
    }
    DimensionRoutes routes;
    for (std::size_t bit = 0; bit < n; ++bit) {
        const int size = unit << bit;
        routes.jumps.push_back((back >> bit & 1) != 0 ? -size : size);
    }
    for (const int step : steps) {
        const std::uint64_t summed = (back + static_cast<std::uint64_t>(step / unit)) ^ back;
        routes.taken.emplace_back();
        for (std::size_t bit = 0; bit < n; ++bit) {
            if ((summed >> bit & 1) != 0) {
                routes.taken.back().push_back(bit);
            }
        }
    }
    return routes;
}

/// The same for an open dimension: steps on by jumps on alone, steps back by jumps back, so that between its origin and
/// its neighbour a block passes nothing but places between the two.
DimensionRoutes straight_jumps(const std::vector<int>& steps) {
    std::vector<int> on;
    std::vector<int> back;
    for (const int step : steps) {
        on.push_back(std::max(step, 0));
        back.push_back(std::max(-step, 0));
    }
    DimensionRoutes routes = doubling_jumps(on);
    const DimensionRoutes mirrored = doubling_jumps(back);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (const std::size_t round : mirrored.taken[i]) {
            routes.taken[i].push_back(routes.jumps.size() + round);
        }
    }
    for (const int jump : mirrored.jumps) {
        routes.jumps.push_back(-jump);
    }
    return routes;
}

using AlongDimension = DimensionRoutes (*)(const std::vector<int>& steps);

Routes route_by_dimension(const Torus& torus, const Neighbourhood& neighbourhood, AlongDimension along_circle,
                          AlongDimension along_line) {
    Routes routes{{}, std::vector<std::vector<std::size_t>>(neighbourhood.size())};
    for (std::size_t k = 0; k < torus.dimensions(); ++k) {
        const auto along = torus.is_periodic(k) ? along_circle : along_line;
        const DimensionRoutes own = along(steps_along(torus, neighbourhood, k));
        for (std::size_t i = 0; i < neighbourhood.size(); ++i) {
            for (const std::size_t round : own.taken[i]) {
                routes.paths[i].push_back(routes.jumps.size() + round);
            }
        }
        for (const int jump : own.jumps) {
            routes.jumps.emplace_back(torus.dimensions(), 0);
            routes.jumps.back()[k] = jump;
        }
    }
    return routes;
}

Routes route_directly(const Torus& torus, const Neighbourhood& neighbourhood) {
    Routes routes{{}, std::vector<std::vector<std::size_t>>(neighbourhood.size())};
    for (std::size_t i = 0; i < neighbourhood.size(); ++i) {
        if (torus.after(0, neighbourhood[i]) != 0) {
            routes.paths[i].push_back(routes.jumps.size());
            routes.jumps.push_back(neighbourhood[i]);
        }
    }
    return routes;
}

Routes route(const Torus& torus, const Neighbourhood& neighbourhood, SparseAlgorithm algorithm) {
    for (const GridOffset& offset : neighbourhood) {
        if (offset.size() != torus.dimensions()) {
            throw usage_error("a neighbour has " + std::to_string(offset.size()) + " coordinates on a torus of " +
                              std::to_string(torus.dimensions()) + " dimensions");
        }
    }
    switch (algorithm) {
    case SparseAlgorithm::direct: return route_directly(torus, neighbourhood);
    case SparseAlgorithm::dimensions: return route_by_dimension(torus, neighbourhood, one_jump_each, one_jump_each);
    case SparseAlgorithm::logarithmic: return route_by_dimension(torus, neighbourhood, doubling_jumps, straight_jumps);
    }
    return {};
}

/// Removes rounds without transfers (a jump of `logarithmic` that no step needs).
SparseSchedule without_idle_rounds(SparseSchedule schedule) {
    std::erase_if(schedule.rounds, [](const SparseRound& round) { return round.transfers.empty(); });
    return schedule;
}

SparseSchedule empty_rounds(const Routes& routes) {
    SparseSchedule schedule;
    for (const GridOffset& jump : routes.jumps) {
        schedule.rounds.push_back({jump, {}});
    }
    return schedule;
}

GridOffset operator+(GridOffset left, const GridOffset& right) {
    std::ranges::transform(left, right, left.begin(), std::plus());
    return left;
}

/// Where a block is after these of the rounds.
GridOffset reached_by(const Routes& routes, std::span<const std::size_t> path, std::size_t dimensions) {
    GridOffset sum(dimensions, 0);
    for (const std::size_t round : path) {
        sum = std::move(sum) + routes.jumps[round];
    }
    return sum;
}

int new_scratch(SparseSchedule& schedule, int neighbour) {
    schedule.scratch.push_back(neighbour);
    return static_cast<int>(schedule.scratch.size()) - 1;
}

} // namespace

SparseAlgorithm parse_sparse_algorithm(std::string_view name) {
    if (name == "direct") {
        return SparseAlgorithm::direct;
    }
    if (name == "dimensions") {
        return SparseAlgorithm::dimensions;
    }
    if (name == "logarithmic") {
        return SparseAlgorithm::logarithmic;
    }
    throw usage_error("unknown sparse algorithm '" + std::string(name) +
                      "'; known are direct, dimensions, logarithmic");
}

bool is_on(const Torus& torus, const Transfer& transfer, int sender) {
    const int origin = torus.before(sender, transfer.travelled);
    return origin != Torus::outside && torus.after(origin, transfer.bound_for) != Torus::outside;
}

// Between its first and its last jump a block rests in scratch memory; it never leaves and arrives in the same place in
// one round, because two scratch blocks take turns where it rests more than once.
SparseSchedule sparse_alltoall(const Torus& torus, const Neighbourhood& neighbourhood, SparseAlgorithm algorithm) {
    const Routes routes = route(torus, neighbourhood, algorithm);
    SparseSchedule schedule = empty_rounds(routes);
    for (std::size_t i = 0; i < neighbourhood.size(); ++i) {
        const auto neighbour = static_cast<int>(i);
        const std::vector<std::size_t>& path = routes.paths[i];
        BlockLocation at{Buffer::send, neighbour};
        GridOffset travelled(torus.dimensions(), 0);
        const GridOffset bound_for = reached_by(routes, path, torus.dimensions());
        int rests[2] = {};
        for (std::size_t hop = 0; hop < path.size(); ++hop) {
            const bool last = hop + 1 == path.size();
            if (!last && hop < 2) {
                rests[hop] = new_scratch(schedule, neighbour);
            }
            const BlockLocation to =
                last ? BlockLocation{Buffer::receive, neighbour} : BlockLocation{Buffer::scratch, rests[hop % 2]};
            schedule.rounds[path[hop]].transfers.push_back({at, to, neighbour, travelled, bound_for});
            at = to;
            travelled = std::move(travelled) + routes.jumps[path[hop]];
        }
        if (path.empty()) {
            schedule.copies.push_back({at, {Buffer::receive, neighbour}, neighbour, travelled, bound_for});
        }
    }
    return without_idle_rounds(std::move(schedule));
}

// The routes of all neighbours grow from the rank like a tree: where they begin with the same rounds, the block travels
// once. It stays at every node that it reaches, so that every node of the tree has memory of its own.
SparseSchedule sparse_allgather(const Torus& torus, const Neighbourhood& neighbourhood, SparseAlgorithm algorithm) {
    const Routes routes = route(torus, neighbourhood, algorithm);
    SparseSchedule schedule = empty_rounds(routes);
    struct Node {
        std::span<const std::size_t> path;
        BlockLocation location;
    };
    std::vector<Node> nodes{{{}, {Buffer::send, 0}}};
    const auto place_of = [&](std::span<const std::size_t> path) -> const BlockLocation* {
        const auto found =
            std::ranges::find_if(nodes, [&](const Node& node) { return std::ranges::equal(node.path, path); });
        return found == nodes.end() ? nullptr : &found->location;
    };
    // Blocks of the receive buffer first: a node that has one there needs no scratch memory.
    for (std::size_t i = 0; i < neighbourhood.size(); ++i) {
        const BlockLocation own{Buffer::receive, static_cast<int>(i)};
        if (const BlockLocation* known = place_of(routes.paths[i])) {
            const GridOffset there = reached_by(routes, routes.paths[i], torus.dimensions());
            schedule.copies.push_back({*known, own, static_cast<int>(i), there, there});
        } else {
            nodes.push_back({routes.paths[i], own});
        }
    }
    std::vector<std::span<const std::size_t>> reached{{}};
    for (std::size_t i = 0; i < neighbourhood.size(); ++i) {
        const std::span<const std::size_t> path = routes.paths[i];
        for (std::size_t hop = 0; hop < path.size(); ++hop) {
            const auto until = path.first(hop + 1);
            if (std::ranges::any_of(reached, [&](auto one) { return std::ranges::equal(one, until); })) {
                continue;
            }
            reached.push_back(until);
            if (place_of(until) == nullptr) {
                nodes.push_back({until, {Buffer::scratch, new_scratch(schedule, static_cast<int>(i))}});
            }
            const GridOffset travelled = reached_by(routes, path.first(hop), torus.dimensions());
            schedule.rounds[path[hop]].transfers.push_back({*place_of(path.first(hop)), *place_of(until),
                                                            static_cast<int>(i), travelled,
                                                            travelled + routes.jumps[path[hop]]});
        }
    }
    return without_idle_rounds(std::move(schedule));
}

} // namespace ictus
