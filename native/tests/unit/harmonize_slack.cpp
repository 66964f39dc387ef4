#include "check.hpp"
#include "harmonize/rules.hpp"

using namespace ictus;

namespace {

void meet(Slack& slack, int times) {
    for (int i = 0; i < times; ++i) {
        slack.met();
    }
}

} // namespace

TEST(a_missed_deadline_multiplies_the_slack_up_to_its_cap) {
    Slack slack({.growth = 1.5, .cap_s = 100e-6}, 20e-6, 20e-6);
    CHECK_EQ(20e-6, slack.value_s());
    // 20 us, 30, 45, 67.5, then 101.25 is above the cap.
    for (const double expected : {30e-6, 45e-6, 67.5e-6, 100e-6, 100e-6}) {
        slack.missed();
        CHECK_NEAR(expected, slack.value_s(), 1e-15);
    }
}

TEST(a_run_of_met_deadlines_shrinks_it_and_no_shorter_one_does) {
    Slack slack({.growth = 2.0, .shrink = 0.5, .run = 3, .cap_s = 1.0}, 1e-6, 1e-6);
    slack.missed();
    slack.missed();
    slack.missed(); // 8 us
    meet(slack, 2);
    CHECK_NEAR(8e-6, slack.value_s(), 1e-18);
    meet(slack, 1);
    CHECK_NEAR(4e-6, slack.value_s(), 1e-18);
    meet(slack, 2); // the run began anew
    CHECK_NEAR(4e-6, slack.value_s(), 1e-18);
    slack.missed(); // and a miss ends it
    meet(slack, 2);
    CHECK_NEAR(8e-6, slack.value_s(), 1e-18);
    meet(slack, 1);
    CHECK_NEAR(4e-6, slack.value_s(), 1e-18);
}

TEST(a_stall_shrinks_it_at_once) {
    Slack slack({.growth = 2.0, .shrink = 0.5, .run = 3, .cap_s = 1.0}, 8e-6, 1e-6);
    slack.stalled();
    CHECK_NEAR(4e-6, slack.value_s(), 1e-18);
    meet(slack, 2);
    slack.stalled(); // which begins a run anew
    meet(slack, 2);
    CHECK_NEAR(2e-6, slack.value_s(), 1e-18);
    for (int i = 0; i < 5; ++i) {
        slack.stalled();
    }
    CHECK_EQ(1e-6, slack.value_s());
}

TEST(stalls_bring_it_back_from_the_cap_though_some_misses_are_small) {
    // Cores that are lost for 4 ms at a time: of the misses, (1 ms - slack) / 4 ms are within the cap, at most a
    // quarter. 0.9^3 * 1.5 = 1.0935 still grows, but only from a slack of 0; 0.9^4 * 1.5 = 0.984 does not, and one in
    // five are within the cap at a slack of 0.2 ms.
    Slack slack({}, 1e-3, 10e-6);
    for (int i = 0; i < 400; ++i) {
        slack.stalled();
        slack.stalled();
        slack.stalled();
        slack.stalled();
        slack.missed();
    }
    CHECK(slack.value_s() < 20e-6);
}

TEST(it_never_shrinks_below_what_a_broadcast_needs) {
    Slack slack({.growth = 1.5, .shrink = 0.9, .run = 1, .cap_s = 1.0}, 10e-6, 10e-6);
    meet(slack, 5);
    CHECK_EQ(10e-6, slack.value_s());
    slack.missed(); // 15 us; 13.5, 12.15, 10.935, then 9.8415 is below the start
    meet(slack, 3);
    CHECK_NEAR(10.935e-6, slack.value_s(), 1e-15);
    meet(slack, 1);
    CHECK_EQ(10e-6, slack.value_s());
}

TEST(from_nothing_it_grows_too) {
    // A broadcast among one rank, or under a coarse clock, takes no time that could be seen.
    Slack slack({}, 0.0, 0.0);
    CHECK(slack.value_s() > 0.0);
    for (int i = 0; i < 40; ++i) {
        slack.missed();
    }
    CHECK_EQ(1e-3, slack.value_s());
}

TEST(a_start_above_the_cap_is_the_cap) {
    Slack slack({.growth = 1.5, .shrink = 0.5, .run = 1, .cap_s = 1e-3}, 5e-3, 5e-3);
    CHECK_EQ(1e-3, slack.value_s());
    slack.missed();
    CHECK_EQ(1e-3, slack.value_s());
    slack.met(); // nor does it shrink below what a broadcast needs
    CHECK_EQ(1e-3, slack.value_s());
}

TEST(with_one_miss_in_forty_the_slack_stays_bounded) {
    // 39 met deadlines are 3 runs of 10: 0.9^3 = 0.729, and 1.5 * 0.729 = 1.0935: it still grows, slowly. One in 50
    // has 4 runs: 1.5 * 0.6561 = 0.98415: it falls back to its start each time round.
    Slack forty({}, 10e-6, 10e-6);
    Slack fifty({}, 10e-6, 10e-6);
    for (int i = 0; i < 100; ++i) {
        forty.missed();
        meet(forty, 39);
        fifty.missed();
        meet(fifty, 49);
    }
    CHECK(forty.value_s() > 700e-6);
    CHECK(forty.value_s() <= 1e-3);
    CHECK_NEAR(10e-6, fifty.value_s(), 1e-12);
}

TEST(a_longer_slack_helps_only_who_was_late_by_less_than_the_cap_leaves) {
    CHECK(Slack::could_have_met(5e-6, 20e-6, 1e-3));
    CHECK(Slack::could_have_met(0.0, 1e-3, 1e-3));
    CHECK(!Slack::could_have_met(0.99e-3, 20e-6, 1e-3));
    CHECK(!Slack::could_have_met(4e-3, 20e-6, 1e-3));
}
