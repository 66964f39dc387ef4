#include "check.hpp"
#include "clocksync/domains.hpp"

using namespace ictus;

TEST(the_first_of_equal_keys_leads_whatever_their_order) {
    const std::vector<std::int64_t> keys{7, 2, 7, -1, 2, 7};
    CHECK((std::vector<int>{0, 1, 0, 3, 1, 0}) == leaders_by_key(keys));
    CHECK(leaders_by_key({}).empty());
}

TEST(members_are_ascending_and_begin_with_their_leader) {
    const std::vector<int> leader_of{0, 1, 0, 3, 1, 0};
    CHECK((std::vector<int>{0, 2, 5}) == members_of(leader_of, 0));
    CHECK((std::vector<int>{3}) == members_of(leader_of, 3));
    CHECK(members_of(leader_of, 2).empty());
}
