// Which ranks call together: on paper for a few launches.
#include "check.hpp"
#include "workload/communicator.hpp"

using namespace ictus;

namespace {

using Groups = std::vector<std::vector<int>>;

/// Ranks on hosts that are named by their first rank.
std::vector<RankLocation> on_hosts(const std::vector<int>& hosts) {
    std::vector<RankLocation> locations;
    for (const int host : hosts) {
        locations.push_back({host, 0, host});
    }
    return locations;
}

std::unique_ptr<CommunicatorChoice> choice(const char* text) {
    return communicator::registry().make(bind(communicator::family(), parse_spec(text)));
}

Groups groups(const char* text, const std::vector<int>& hosts) { return choice(text)->groups(on_hosts(hosts)); }

} // namespace

TEST(world_and_reversed_hold_all_ranks) {
    CHECK(groups("world", {0, 0, 0}) == (Groups{{0, 1, 2}}));
    CHECK(groups("reversed", {0, 0, 0}) == (Groups{{2, 1, 0}}));
    CHECK(groups("reversed", {0}) == (Groups{{0}}));
}

TEST(halves_are_equal_and_the_odd_rank_rests) {
    CHECK(groups("halves", {0, 0, 0, 0}) == (Groups{{0, 1}, {2, 3}}));
    CHECK(groups("halves", {0, 0, 0, 0, 0}) == (Groups{{0, 1}, {2, 3}}));
    CHECK(groups("halves", {0, 0}) == (Groups{{0}, {1}}));
    CHECK_THROWS(groups("halves", {0}), "communicator 'halves' needs 2 ranks or more, and this launch has 1");
}

TEST(hosts_send_their_first_rank) {
    CHECK(groups("hosts", {0, 0, 2, 2}) == (Groups{{0, 2}}));
    CHECK(groups("hosts(3)", {0, 1, 0, 1, 4, 5}) == (Groups{{0, 1, 4}}));
    CHECK(groups("hosts(1)", {0, 0}) == (Groups{{0}}));
    CHECK_THROWS(groups("hosts(3)", {0, 0, 2, 2}), "3 hosts were requested, and this launch runs on 2");
}

TEST(the_first_ranks_are_those_of_the_launcher) {
    CHECK(groups("first", {0, 0, 2, 2}) == (Groups{{0, 1}}));
    CHECK(groups("first(3)", {0, 1, 0, 1}) == (Groups{{0, 1, 2}}));
    CHECK(groups("first(1)", {0}) == (Groups{{0}}));
    CHECK_THROWS(groups("first(3)", {0, 0}),
                 "communicator 'first', parameter 'count': 3 ranks were requested, and this launch has 2");
}

TEST(the_size_is_known_before_the_launch) {
    for (const char* text :
         {"world", "reversed", "halves", "hosts(1)", "hosts(2)", "hosts(5)", "first(1)", "first(4)"}) {
        const std::vector<int> hosts = {0, 1, 2, 3, 4};
        CHECK_EQ(choice(text)->size(5), static_cast<int>(groups(text, hosts).front().size()));
    }
    CHECK_EQ(0, choice("hosts(2)")->size(1));
    CHECK_EQ(0, choice("halves")->size(1));
    CHECK_EQ(0, choice("first(3)")->size(2));
}
