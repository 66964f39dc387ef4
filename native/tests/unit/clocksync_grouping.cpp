#include "check.hpp"
#include "clocksync/domains.hpp"

using namespace ictus;

TEST(the_first_of_equal_keys_leads_whatever_their_order) {
    const std::vector<std::int64_t> keys{7, 2, 7, -1, 2, 7};
    CHECK((std::vector<int>{0, 1, 0, 3, 1, 0}) == leaders_by_key(keys));
    CHECK(leaders_by_key({}).empty());
}
