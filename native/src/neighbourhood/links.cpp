#include "neighbourhood/links.hpp"

#include "neighbourhood/neighbourhood.hpp"

#include <algorithm>

namespace ictus {

Links cartesian_links(std::span<const int> lengths, bool periodic, int rank) {
    Links links{std::vector<Incoming>(2 * lengths.size()), static_cast<int>(2 * lengths.size())};
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
