#include "check.hpp"
#include "study/exit_profile.hpp"

#include <cmath>

using namespace ictus;

namespace {

// Two ranks, three repetitions, in whole numbers. Rank 1 leaves 4 and 2 after rank 0, then 3 before it.
const std::vector<double> first{10, 20, 30};
const std::vector<double> exits[] = {{10, 20, 33}, {14, 22, 30}};

} // namespace

TEST(exits_are_told_relative_to_the_first_of_the_same_repetition) {
    const ExitDelay zero = delay_after(exits[0], first);
    const ExitDelay one = delay_after(exits[1], first);
    CHECK_EQ(1.0, zero.mean_s);                   // 0, 0, 3
    CHECK_EQ(2.0, one.mean_s);                    // 4, 2, 0
    CHECK_NEAR(std::sqrt(3.0), zero.sd_s, 1e-15); // ((-1)^2 + (-1)^2 + 2^2) / 2
    CHECK_EQ(2.0, one.sd_s);                      // (2^2 + 0 + (-2)^2) / 2
}

TEST(a_duration_is_from_the_first_entry_to_the_last_exit) {
    const std::vector<double> last{14, 22, 33};
    CHECK(differences(last, std::vector<double>{1, 11, 23}) == (std::vector<double>{13, 11, 10}));
}

TEST(no_repetition_has_no_mean_and_one_has_no_deviation) {
    const ExitDelay none = delay_after({}, {});
    CHECK(std::isnan(none.mean_s) && std::isnan(none.sd_s));
    const ExitDelay single = delay_after(std::vector<double>{7}, std::vector<double>{5});
    CHECK_EQ(2.0, single.mean_s);
    CHECK(std::isnan(single.sd_s));
}
