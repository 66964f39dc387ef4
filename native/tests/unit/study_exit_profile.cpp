#include "check.hpp"
#include "study/exit_profile.hpp"

using namespace ictus;

namespace {

// Two ranks, three repetitions, in whole numbers. Rank 1 leaves 4 and 2 after rank 0, then 3 before it.
const std::vector<double> exits{10, 20, 33, 14, 22, 30};

} // namespace

TEST(exits_are_told_relative_to_the_first_of_the_same_repetition) {
    const ExitProfile profile = profile_exits(exits, 2);
    CHECK_EQ(1.0, profile.mean_s[0]);                   // 0, 0, 3
    CHECK_EQ(2.0, profile.mean_s[1]);                   // 4, 2, 0
    CHECK_NEAR(std::sqrt(3.0), profile.sd_s[0], 1e-15); // ((-1)^2 + (-1)^2 + 2^2) / 2
    CHECK_EQ(2.0, profile.sd_s[1]);                     // (2^2 + 0 + (-2)^2) / 2
    CHECK_EQ(4.0, profile.skew_s[0]);
    CHECK_EQ(2.0, profile.skew_s[1]);
    CHECK_EQ(3.0, profile.skew_s[2]);
}

TEST(a_shift_of_a_whole_repetition_changes_nothing_and_of_one_rank_does) {
    std::vector<double> shifted = exits;
    shifted[1] += 1000;
    shifted[4] += 1000;
    CHECK_EQ(2.0, profile_exits(shifted, 2).mean_s[1]);
    shifted[4] += 3;
    CHECK_EQ(3.0, profile_exits(shifted, 2).mean_s[1]);
}

TEST(a_duration_is_from_the_first_entry_to_the_last_exit) {
    const std::vector<double> entries{1, 12, 23, 2, 11, 24};
    const std::vector<double> durations = durations_of(entries, exits, 2);
    CHECK_EQ(13.0, durations[0]);
    CHECK_EQ(11.0, durations[1]);
    CHECK_EQ(10.0, durations[2]);
}

TEST(no_repetition_has_no_mean_and_one_has_no_deviation) {
    const ExitProfile none = profile_exits({}, 3);
    CHECK_EQ(std::size_t{3}, none.mean_s.size());
    CHECK(std::isnan(none.mean_s[2]) && std::isnan(none.sd_s[2]) && none.skew_s.empty());
    const std::vector<double> once{5, 7, 6};
    const ExitProfile single = profile_exits(once, 3);
    CHECK_EQ(2.0, single.mean_s[1]);
    CHECK(std::isnan(single.sd_s[1]));
    CHECK_EQ(2.0, single.skew_s[0]);
}
