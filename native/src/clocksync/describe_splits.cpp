// Splits of clock domains in words.
#include "clocksync/domains.hpp"

#include "base/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ictus::clocksync {
namespace {

/// `rank 3`, `ranks 1 and 3`, `ranks 1, 2 and 5`, `ranks 1, 2, 3, 4 and 9 more`.
std::string name_ranks(const std::vector<int>& ranks) {
    constexpr std::size_t most = 8;
    const std::size_t shown = ranks.size() > most ? most / 2 : ranks.size();
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < shown; ++i) {
        const bool last = i + 1 == ranks.size();
        text += (i == 0 ? "" : last ? " and " : ", ") + std::to_string(ranks[i]);
    }
    return shown == ranks.size() ? text : text + " and " + std::to_string(ranks.size() - shown) + " more";
}

/// Of the splits off one claimed domain; there is at least one.
std::string sentence(const Transport& transport, const std::vector<Split>& splits) {
    std::vector<int> ranks;
    std::vector<double> distances;
    for (const Split& split : splits) {
        ranks.push_back(transport.world_rank(split.rank));
        distances.push_back(std::abs(split.offset));
    }
    const auto [nearest, farthest] = std::minmax_element(distances.begin(), distances.end());
    std::string text = name_ranks(ranks) + (ranks.size() == 1 ? " does" : " do") + " not read the clock of rank ";
    text += std::to_string(transport.world_rank(splits.front().leader)) + " (";
    if (format_duration(*nearest) != format_duration(*farthest)) {
        text += format_duration(*nearest) + " to ";
    }
    return text + format_duration(*farthest) + " apart)";
}

} // namespace

std::vector<std::string> describe_splits(const Transport& transport, const Domains& domains) {
    std::vector<std::string> sentences;
    for (const int leader : domains.leaders) { // whose claimed domain it was, it leads what is left of it
        std::vector<Split> splits;
        std::copy_if(domains.splits.begin(), domains.splits.end(), std::back_inserter(splits),
                     [&](const Split& split) { return split.leader == leader; });
        if (!splits.empty()) {
            sentences.push_back(sentence(transport, splits));
        }
    }
    return sentences;
}

} // namespace ictus::clocksync
