#include "base/random.hpp"
#include "check.hpp"
#include "study/network_pairs.hpp"

#include <algorithm>
#include <set>

using namespace ictus;

namespace {

/// Hosts of the ranks, in rank order.
std::vector<RankLocation> on_hosts(std::initializer_list<int> hosts) {
    std::vector<RankLocation> locations;
    for (const int host : hosts) {
        locations.push_back({.host = host});
    }
    return locations;
}

} // namespace

TEST(links_are_the_two_lowest_ranks_of_a_host_and_the_first_host_with_others) {
    const std::vector<RankPair> links = sample_links(on_hosts({0, 0, 0, 7, 7, 9}), 4);
    const std::vector<RankPair> expected{{0, 1}, {3, 4}, {0, 3}, {0, 5}};
    CHECK(links == expected);
}

TEST(of_many_hosts_few_links_are_spread_evenly_over_all) {
    std::vector<RankLocation> locations;
    for (int rank = 0; rank < 200; ++rank) { // hosts 0 to 99
        locations.push_back({.host = rank / 2});
    }
    const std::vector<RankPair> links = sample_links(locations, 4);
    // Inside hosts 0, 25, 50, 75; from host 0 to every 99/4th of hosts 1 to 99.
    const std::vector<RankPair> expected{{0, 1}, {50, 51}, {100, 101}, {150, 151}, {0, 2}, {0, 50}, {0, 100}, {0, 150}};
    CHECK(links == expected);
}

TEST(a_single_rank_has_no_link) {
    CHECK(sample_links(on_hosts({3}), 4).empty());
    CHECK(random_matching(1, 5).empty());
}

TEST(a_matching_has_every_rank_once_and_of_an_odd_number_all_but_one) {
    for (const int n : {2, 5, 8, 33}) {
        std::set<int> seen;
        const std::vector<RankPair> pairs = random_matching(n, 11);
        for (const RankPair& pair : pairs) {
            CHECK(pair.from >= 0 && pair.from < n && pair.to >= 0 && pair.to < n);
            seen.insert({pair.from, pair.to});
        }
        CHECK_EQ(static_cast<std::size_t>(n / 2), pairs.size());
        CHECK_EQ(2 * pairs.size(), seen.size());
    }
}

TEST(every_pair_is_equally_likely) {
    // Of 4 ranks, rank 0 meets each other one in a third of the matchings: 1000 of 3000, standard deviation 26.
    int met[4] = {};
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        for (const RankPair& pair : random_matching(4, SplitMix64::mix(seed))) {
            if (std::min(pair.from, pair.to) == 0) {
                ++met[std::max(pair.from, pair.to)];
            }
        }
    }
    for (int rank = 1; rank < 4; ++rank) {
        CHECK(met[rank] > 870 && met[rank] < 1130);
    }
}
