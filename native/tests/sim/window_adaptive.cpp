// The published rules for a window that adapts: each number here is derived by hand from the rule.
#include "check.hpp"
#include "procsync/window_rule.hpp"
#include "procsync_world.hpp"

using namespace ictus;
using procsync::nbcbench_rule;
using procsync::skampi_rule;
using simulation::Case;
using simulation::Outcome;

namespace {

constexpr double us = 1e-6;

std::vector<SampleFlags> flags_of(std::string_view letters) { // l: late, .: valid
    std::vector<SampleFlags> flags;
    for (const char letter : letters) {
        flags.push_back(letter == 'l' ? late_flag : SampleFlags{0});
    }
    return flags;
}

} // namespace

TEST(skampi_grows_the_window_from_a_quarter_of_invalid_samples_on) {
    const auto rule = skampi_rule(10 * us, 8);
    CHECK_EQ(std::uint64_t{4}, rule->next_batch(100)); // the first batch
    const auto none = flags_of("....");
    CHECK(rule->judge({none, 80 * us}));
    CHECK_EQ(std::uint64_t{8}, rule->next_batch(100));
    CHECK_EQ(std::uint64_t{3}, rule->next_batch(3));
    const auto one = flags_of("...l....");
    rule->judge({one, 900 * us});
    CHECK_NEAR(10 * us, rule->size_s(), 1e-15); // 1/8 < 1/4
    const auto two = flags_of("...l.l..");
    rule->judge({two, 90 * us});
    CHECK_NEAR(20 * us, rule->size_s(), 1e-15); // twice the size is more than 1.5 * 90 / 9 = 15
    rule->judge({two, 180 * us});
    CHECK_NEAR(40 * us, rule->size_s(), 1e-15); // more than 30
    rule->judge({two, 900 * us});
    CHECK_NEAR(150 * us, rule->size_s(), 1e-15); // 1.5 * 900 / 9
    CHECK_EQ(std::uint64_t{8}, rule->next_batch(100));
}

TEST(skampi_halves_the_batch_after_more_than_half_invalid_in_a_row) {
    const auto rule = skampi_rule(10 * us, 18);
    const auto first = flags_of("llll");
    rule->judge({first, us}); // of the first batch nothing is learnt but the size
    CHECK_EQ(std::uint64_t{18}, rule->next_batch(100));
    const auto half = flags_of("lllllllll.........");
    rule->judge({half, us});
    CHECK_EQ(std::uint64_t{18}, rule->next_batch(100));
    const auto scattered = flags_of("llllllll.lllllllll"); // 17 invalid, at most 9 in a row
    rule->judge({scattered, us});
    CHECK_EQ(std::uint64_t{18}, rule->next_batch(100));
    const auto more = flags_of("....llllllllll....");
    rule->judge({more, us});
    CHECK_EQ(std::uint64_t{9}, rule->next_batch(100));
    const auto all = flags_of("lllllllll");
    rule->judge({all, us});
    rule->judge({all, us});
    CHECK_EQ(std::uint64_t{4}, rule->next_batch(100)); // never below four
}

TEST(nbcbench_measures_fewer_samples_of_a_long_call) {
    const auto samples = [](std::uint64_t wanted, double run_time_s) {
        const auto rule = nbcbench_rule(-1.0);
        CHECK_EQ(std::max<std::uint64_t>(wanted / 10, 1), rule->next_batch(wanted));
        CHECK(rule->is_trial());
        rule->estimate(run_time_s);
        CHECK(!rule->is_trial());
        CHECK_NEAR(run_time_s, rule->size_s(), 0.0);
        return rule->next_batch(wanted);
    };
    CHECK_EQ(std::uint64_t{1000}, samples(1000, 1.9e-3)); // 5 * 1000 * 1.9 ms = 9.5 s
    CHECK_EQ(std::uint64_t{500}, samples(1000, 2.1e-3));  // 10.5 s
    CHECK_EQ(std::uint64_t{4}, samples(6, 1.0));          // 30 s; half would be 3
}

TEST(nbcbench_takes_the_case_again_until_three_quarters_are_on_time) {
    const auto rule = nbcbench_rule(8 * us);
    (void)rule->next_batch(8);
    rule->estimate(5 * us);
    const auto three = flags_of("l.l.l...");
    CHECK(!rule->judge({three, us}));
    CHECK_NEAR(12 * us, rule->size_s(), 1e-15);
    CHECK_EQ(std::uint64_t{8}, rule->next_batch(0)); // whatever the repetition thinks
    const auto two = flags_of("l.l.....");
    CHECK(rule->judge({two, us}));
    CHECK_NEAR(12 * us, rule->size_s(), 1e-15);
    CHECK_EQ(std::uint64_t{0}, rule->next_batch(6)); // the case is over
}

TEST(nbcbench_wants_four_samples_on_time) {
    const auto rule = nbcbench_rule(8 * us);
    (void)rule->next_batch(4);
    rule->estimate(5 * us);
    const auto three_of_four = flags_of("...l"); // a quarter late, but only three are left
    CHECK(!rule->judge({three_of_four, us}));
    const auto four = flags_of("....");
    CHECK(rule->judge({four, us}));
}

TEST(nbcbench_measures_four_samples_where_fewer_are_wanted) {
    for (std::uint64_t wanted = 1; wanted < 4; ++wanted) {
        const auto rule = nbcbench_rule(8 * us);
        CHECK_EQ(std::uint64_t{1}, rule->next_batch(wanted)); // the trial
        rule->estimate(5 * us);
        const auto all = flags_of(std::string(rule->next_batch(wanted), '.'));
        CHECK(rule->judge({all, us}));
        CHECK_EQ(std::uint64_t{4}, all.size());
        CHECK_EQ(std::uint64_t{0}, rule->next_batch(0)); // the case is over
    }
}

TEST(nbcbench_gives_up_after_thirty_windows) {
    const auto rule = nbcbench_rule(1 * us);
    (void)rule->next_batch(4);
    rule->estimate(1 * us);
    const auto lost = flags_of("llll");
    int windows = 0;
    while (rule->next_batch(4) > 0) {
        CHECK(!rule->judge({lost, us}));
        ++windows;
    }
    CHECK_EQ(30, windows);
}

TEST(a_case_under_skampis_rule_goes_as_derived) {
    // Two ranks, links of 1 us, calls of 10 us, of 30 us on rank 1 in repetitions 4 to 11. An announcement takes 1 us,
    // so that the least lead is 2 us. With A the anchor:
    //   batch 1: 4 repetitions, size 0: the last ends at A + 40 us, announced at A - 2 us: size = 1.5 * 42 / 5 = 12.6
    //   us batch 2: 8, all too long: the last ends at A + 240 us, lead 12.6 us: size = max(25.2, 1.5 * 252.6 / 9)
    //   = 42.1 us,
    //            and eight in a row: batches of 4 from now on
    //   then 5 batches of 4, all valid, make 20
    Case one{.procsync = "window-adaptive(rule=skampi,batch=8)", .wanted = 20};
    one.synchronise = false;
    one.call_s = [](int rank, std::uint64_t repetition) {
        return rank == 1 && repetition >= 4 && repetition < 12 ? 30 * us : 10 * us;
    };
    const Outcome outcome = run_case(simulation::exact_ranks(2), one);
    const std::vector<std::size_t> batches{4, 8, 4, 4, 4, 4, 4};
    CHECK(batches == outcome.batches);
    CHECK_NEAR(12.6 * us, outcome.windows_s[1], 1e-12); // what was in force in the second batch
    CHECK_NEAR(42.1 * us, outcome.windows_s[2], 1e-12);
    CHECK_NEAR(42.1 * us, outcome.windows_s[6], 1e-12);
    CHECK_EQ(std::uint64_t{20}, outcome.count(0));
    CHECK_EQ(std::uint64_t{12}, outcome.count(overrun_flag));
    CHECK_EQ(std::uint64_t{3 + 7}, outcome.count(late_flag)); // all but the first of each batch
    CHECK_EQ(std::uint64_t{0}, outcome.count(rejected_flag));
}

TEST(a_case_under_nbcbenchs_rule_goes_as_derived) {
    // Calls of 8 us and 11 us in turn. The trial of 40/10 = 4 finds 8 us on rank 0 and, as its calls are 1 us shorter,
    // 7 us on rank 1: the first window is 8 us. In it a rank falls behind by 3 us every second call, so that all from
    // the third on are late, and the case is taken again with 12 us, which hold.
    Case one{.procsync = "window-adaptive(rule=nbcbench)", .wanted = 40};
    one.synchronise = false;
    one.call_s = [](int rank, std::uint64_t repetition) { return (repetition % 2 == 0 ? 8 : 11) * us - rank * us; };
    const Outcome outcome = run_case(simulation::exact_ranks(2), one);
    const std::vector<std::size_t> batches{4, 40, 40};
    CHECK(batches == outcome.batches);
    CHECK_NEAR(8 * us, outcome.windows_s[1], 1e-12);
    CHECK_NEAR(12 * us, outcome.windows_s[2], 1e-12);
    CHECK_EQ(std::uint64_t{40}, outcome.count(0));
    CHECK_EQ(std::uint64_t{44}, outcome.count(rejected_flag)); // the trial, and the first window's
    CHECK_EQ(std::uint64_t{38}, outcome.count(late_flag));
    CHECK_EQ(std::uint64_t{0}, outcome.count(overrun_flag));
}

TEST(an_unknown_rule_lists_the_known_ones) {
    CHECK_THROWS(bind(procsync::family(), parse_spec("window-adaptive(rule=mine)")), "skampi nbcbench");
}
