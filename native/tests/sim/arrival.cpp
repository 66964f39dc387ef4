// arrival: each rank truly arrives its known delay after the common instant.
#include "check.hpp"
#include "procsync_world.hpp"
#include "workload/pattern.hpp"

#include <set>

using namespace ictus;
using simulation::Case;
using simulation::Outcome;

namespace {

constexpr double us = 1e-6;

std::unique_ptr<Pattern> make_pattern(const std::string& text, int n_ranks) {
    return pattern::registry().make(bind(pattern::family(), parse_spec(text)), n_ranks);
}

/// The largest departure of any true start from the pattern, seconds, over all valid repetitions.
double largest_departure(const Outcome& outcome, const Pattern& pattern, double size_s) {
    double largest = 0.0;
    for (std::size_t i = 0; i < outcome.attempts.size(); ++i) {
        const std::vector<double>& start = outcome.attempts[i].start;
        std::vector<double> common;
        for (std::size_t rank = 0; rank < start.size() && outcome.attempts[i].flags == 0; ++rank) {
            const double share = pattern.share(static_cast<int>(rank), static_cast<int>(start.size()), i);
            common.push_back(start[rank] - share * size_s);
        }
        if (!common.empty()) {
            const auto [first, last] = std::minmax_element(common.begin(), common.end());
            largest = std::max(largest, *last - *first);
        }
    }
    return largest;
}

} // namespace

TEST(ranks_arrive_as_the_pattern_says) {
    for (const char* const start : {"window(size=100us)", "round-time(slice=5ms)", "harmonize"}) {
        for (const char* const name : {"ascending", "descending", "random(seed=7)", "one-late(rank=2)"}) {
            Case one{.procsync = std::string("arrival(pattern=") + name + ",size=40us,start=" + start + ")"};
            const Outcome outcome = run_case(simulation::skewed_ranks(5), one);
            CHECK(outcome.count(0) >= 40);
            CHECK(largest_departure(outcome, *make_pattern(name, 5), 40 * us) < 0.3 * us);
            // Judged by another pattern, the same starts are wrong.
            const char* const other = std::string_view(name) == "ascending" ? "descending" : "ascending";
            CHECK(largest_departure(outcome, *make_pattern(other, 5), 40 * us) > 10 * us);
        }
    }
}

TEST(patterns_say_who_arrives_when) {
    const auto ascending = make_pattern("ascending", 5);
    const auto descending = make_pattern("descending", 5);
    const auto late = make_pattern("one-late(3)", 5);
    for (int rank = 0; rank < 5; ++rank) {
        CHECK_NEAR(0.25 * rank, ascending->share(rank, 5, 0), 1e-15);
        CHECK_NEAR(1.0 - 0.25 * rank, descending->share(rank, 5, 0), 1e-15);
        CHECK_EQ(rank == 3 ? 1.0 : 0.0, late->share(rank, 5, 9));
    }
    CHECK_EQ(0.0, ascending->share(0, 1, 0));
    CHECK_EQ(0.0, descending->share(0, 1, 0));
}

TEST(a_random_pattern_is_uniform_and_the_seeds) {
    const auto one = make_pattern("random(seed=5)", 8);
    const auto same = make_pattern("random(seed=5)", 8);
    const auto other = make_pattern("random(seed=6)", 8);
    std::set<double> seen;
    double sum = 0.0;
    int differing = 0;
    for (std::uint64_t repetition = 0; repetition < 500; ++repetition) {
        for (int rank = 0; rank < 8; ++rank) {
            const double share = one->share(rank, 8, repetition);
            CHECK(share >= 0.0 && share < 1.0);
            CHECK_EQ(share, same->share(rank, 8, repetition));
            differing += share != other->share(rank, 8, repetition) ? 1 : 0;
            seen.insert(share);
            sum += share;
        }
    }
    CHECK_EQ(std::size_t{4000}, seen.size());
    CHECK_EQ(4000, differing);
    CHECK_NEAR(0.5, sum / 4000, 3.5 / std::sqrt(12.0 * 4000)); // 3.5 standard errors of a uniform mean
}

TEST(an_automatic_window_holds_the_delays) {
    Case one{.procsync = "arrival(pattern=one-late(rank=1),size=200us,start=window)", .warmed_up_s = 5 * us};
    const Outcome outcome = run_case(simulation::skewed_ranks(3), one);
    CHECK_EQ(std::uint64_t{50}, outcome.count(0));
    CHECK_EQ(std::size_t{50}, outcome.attempts.size());
    CHECK_NEAR(3 * 205 * us, outcome.windows_s[0], 1e-12);
}

TEST(a_rank_that_is_late_for_the_common_instant_is_late) {
    auto settings = simulation::skewed_ranks(2);
    Case one{.procsync = "arrival(pattern=ascending,size=20us,start=window(size=100us,batch=5))", .wanted = 200};
    settings.stalls = {{1, run_case(settings, one).begun + 5e-3, 0.01}};
    const Outcome outcome = run_case(settings, one);
    CHECK(outcome.count(late_flag) >= 1 && outcome.count(late_flag) <= 5);
}

TEST(arrivals_need_a_common_instant_and_a_rank_that_exists) {
    const auto refuse = [](const std::string& text, const std::string& part) {
        SimulatedWorld world(simulation::skewed_ranks(2));
        CHECK_THROWS(world.run([&](Transport& transport) {
            GlobalClock clock(transport);
            (void)simulation::make_procsync(text, {transport, clock, true});
        }),
                     part);
    };
    refuse("arrival(start=none)", "'none' gives no common instant");
    refuse("arrival(start=barrier)", "use window, window-adaptive, round-time or harmonize");
    refuse("arrival(start=arrival)", "'arrival' gives no common instant");
    refuse("arrival(pattern=one-late(rank=2))", "2 is not below the number of ranks, 2");
    CHECK_THROWS(bind(procsync::family(), parse_spec("arrival(pattern=sideways)")),
                 "ascending, descending, random, one-late");
}
