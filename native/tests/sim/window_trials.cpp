// How `window` finds its size where none was given: trials.
#include "check.hpp"
#include "procsync_world.hpp"

using namespace ictus;
using simulation::Case;
using simulation::exact_ranks;
using simulation::Outcome;

TEST(an_automatic_window_is_doubled_until_a_trial_fits) {
    // The first window is 15 us. Where the tenth call takes 35 us, two are too short and the third one fits; where it
    // takes 200 us, none does, and three doublings are all. A trial is a fifth of what is missing.
    const auto with_tenth_call = [](double call_s, std::uint64_t wanted, const std::string& name = "window") {
        return run_case(exact_ranks(3),
                        Case{.procsync = name,
                             .wanted = wanted,
                             .call_s = [call_s](int, std::uint64_t i) { return i % 10 == 9 ? call_s : 5e-6; },
                             .synchronise = false});
    };
    const Outcome third = with_tenth_call(35e-6, 100);
    CHECK(third.batches == (std::vector<std::size_t>{20, 20, 20, 80}));
    CHECK_NEAR(30e-6, third.windows_s[0], 1e-12);
    CHECK_NEAR(60e-6, third.windows_s[1], 1e-12);
    CHECK_NEAR(60e-6, third.windows_s[3], 1e-12);
    CHECK_EQ(std::uint64_t{40}, third.count(rejected_flag));
    CHECK_EQ(std::uint64_t{100}, third.count(0));
    const Outcome none = with_tenth_call(200e-6, 100);
    CHECK_NEAR(120e-6, none.windows_s.back(), 1e-12);
    CHECK_EQ(std::uint64_t{60}, none.count(rejected_flag));
    // No trial: a few samples, and a window that was given.
    CHECK_EQ(std::size_t{49}, with_tenth_call(35e-6, 49).batches.front());
    CHECK_EQ(std::uint64_t{0}, with_tenth_call(35e-6, 49).count(rejected_flag));
    CHECK_EQ(std::size_t{100}, with_tenth_call(35e-6, 100, "window(size=15us)").batches.front());
}

TEST(one_invalid_sample_of_a_trial_is_accepted) {
    // The last of 20 calls between two anchors outlasts its window and makes no other one late.
    const Outcome outcome =
        run_case(exact_ranks(3), Case{.procsync = "window",
                                      .wanted = 100,
                                      .call_s = [](int, std::uint64_t i) { return i == 19 ? 35e-6 : 5e-6; },
                                      .synchronise = false});
    CHECK(outcome.batches == (std::vector<std::size_t>{20, 81}));
    CHECK_EQ(std::uint64_t{1}, outcome.count(overrun_flag));
    CHECK_EQ(std::uint64_t{0}, outcome.count(rejected_flag));
}
