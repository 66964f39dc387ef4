#include "base/random.hpp"
#include "check.hpp"
#include "study/network_pairs.hpp"

#include <algorithm>
#include <map>
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

/// A tree of 2 switches with 3 hosts each, of 2 sockets, with 2 caches each, with 2 ranks each; rank 0 is on the first.
std::vector<RankPlace> tree() {
    std::vector<RankPlace> places;
    for (int rank = 0; rank < 48; ++rank) {
        places.push_back({rank / 24, rank / 8, rank / 4 % 2, rank / 2 % 4});
    }
    return places;
}

/// How many numbers two places have in common before the first that differs.
std::size_t common(const RankPlace& one, const RankPlace& other) {
    return static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
}

} // namespace

TEST(links_are_of_every_distance_and_share_what_they_are_said_to) {
    const std::vector<RankPlace> places = tree();
    std::map<std::string_view, int> counted;
    std::set<int> ranks;
    for (const NetworkLink& link : sample_links(places, 4)) {
        const auto [from, to] = link.pair;
        CHECK(from < to);
        CHECK_EQ(link.shared,
                 shared_names[common(places[static_cast<std::size_t>(from)], places[static_cast<std::size_t>(to)])]);
        ++counted[link.shared];
        ranks.insert({from, to});
    }
    for (const std::string_view name : shared_names) {
        CHECK_EQ(4, counted[name]);
    }
    CHECK(ranks.size() > 16); // 40 ends of 48 ranks, drawn at random, are 28 different ones on average
    CHECK(*ranks.rbegin() > 24);
}

TEST(the_same_places_give_the_same_links_and_none_of_them_twice) {
    const std::vector<NetworkLink> links = sample_links(tree(), 60);
    CHECK(links == sample_links(tree(), 60));
    for (const NetworkLink& link : links) {
        CHECK_EQ(1, std::ranges::count(links, link));
    }
    // There is one pair in each of 24 caches: most are found within the tries.
    CHECK_EQ(24, std::ranges::count(links, std::string_view("cache"), &NetworkLink::shared));
}

TEST(of_many_hosts_few_links_are_spread_evenly_over_all) {
    std::vector<RankPlace> places;
    for (int rank = 0; rank < 200; ++rank) { // hosts 0 to 99, of which nothing is known
        places.push_back({rank / 2, rank / 2, rank, rank});
    }
    const std::vector<NetworkLink> links = sample_links(places, 4);
    const std::vector<NetworkLink> inside(links.begin(), links.begin() + 4);
    const std::vector<NetworkLink> expected{
        {{0, 1}, "host"}, {{50, 51}, "host"}, {{100, 101}, "host"}, {{150, 151}, "host"}};
    CHECK(inside == expected);
    CHECK_EQ(8U, links.size());
    for (const NetworkLink& link : links) {
        CHECK_EQ(link.pair.from / 2 == link.pair.to / 2, link.shared == "host");
    }
}

TEST(what_is_not_known_is_shared_with_nobody) {
    const std::vector<RankLocation> locations = on_hosts({0, 0, 2});
    const std::vector<OwnPlace> own{{{1, 4}, "top.leaf"}, {{1, std::nullopt}, "top.leaf"}, {{1, 4}, "top.leaf"}};
    const std::vector<RankPlace> places = places_of(locations, own);
    CHECK_EQ(3U, common(places[0], places[1])); // switch, host, socket
    CHECK_EQ(1U, common(places[0], places[2])); // the switch alone
    const std::vector<RankPlace> unknown = places_of(locations, std::vector<OwnPlace>(3));
    CHECK_EQ(2U, common(unknown[0], unknown[1])); // those of one host have one way to it
    CHECK_EQ(0U, common(unknown[0], unknown[2]));
}

TEST(the_switch_is_what_the_batch_system_names_before_the_node) {
    CHECK_EQ("s0.s5", switch_of("s0.s5.tux7"));
    CHECK_EQ("", switch_of("tux7"));
    CHECK_EQ("", switch_of(""));
}

TEST(a_single_rank_has_no_link) {
    CHECK(sample_links(places_of(on_hosts({3}), std::vector<OwnPlace>(1)), 4).empty());
    CHECK(matching_inside(on_hosts({3}), 5).empty());
    CHECK(matching_between(on_hosts({3, 3}), 5).empty());
}

TEST(a_matching_inside_hosts_has_every_rank_once_and_of_an_odd_number_all_but_one) {
    const std::vector<RankLocation> locations = on_hosts({0, 0, 0, 0, 0, 5, 5, 5, 5, 9});
    std::set<int> seen;
    const std::vector<RankPair> pairs = matching_inside(locations, 11);
    for (const RankPair& pair : pairs) {
        CHECK_EQ(locations[static_cast<std::size_t>(pair.from)].host,
                 locations[static_cast<std::size_t>(pair.to)].host);
        seen.insert({pair.from, pair.to});
    }
    CHECK_EQ(4U, pairs.size());
    CHECK_EQ(8U, seen.size());
}

TEST(a_matching_between_hosts_pairs_all_ranks_of_two_hosts) {
    const std::vector<RankLocation> locations = on_hosts({0, 0, 0, 3, 3, 3, 6, 6, 6, 9, 9, 9});
    std::set<int> seen;
    std::set<std::pair<int, int>> hosts;
    const std::vector<RankPair> pairs = matching_between(locations, 4);
    for (const RankPair& pair : pairs) {
        const int one = locations[static_cast<std::size_t>(pair.from)].host;
        const int other = locations[static_cast<std::size_t>(pair.to)].host;
        CHECK(one != other);
        hosts.insert({one, other});
        seen.insert({pair.from, pair.to});
    }
    CHECK_EQ(6U, pairs.size());
    CHECK_EQ(12U, seen.size());
    CHECK_EQ(2U, hosts.size());
}

TEST(every_pair_of_a_host_and_of_hosts_is_equally_likely) {
    // Of 4, number 0 meets each other one in a third of the matchings: 1000 of 3000, standard deviation 26.
    for (const bool inside : {true, false}) {
        const std::vector<RankLocation> locations = inside ? on_hosts({0, 0, 0, 0}) : on_hosts({0, 1, 2, 3});
        int met[4] = {};
        for (std::uint64_t seed = 0; seed < 3000; ++seed) {
            const std::uint64_t mixed = SplitMix64::mix(seed);
            for (const RankPair& pair :
                 inside ? matching_inside(locations, mixed) : matching_between(locations, mixed)) {
                if (std::min(pair.from, pair.to) == 0) {
                    ++met[std::max(pair.from, pair.to)];
                }
            }
        }
        for (int rank = 1; rank < 4; ++rank) {
            CHECK(met[rank] > 870 && met[rank] < 1130);
        }
    }
}
