// Whether the standard errors that are carried through the merge are worth their name: in worlds with exponential
// jitter the 95 % interval of the slope must cover the true slope in about 95 % of the seeds.
//
// Of 150 seeds the share covered is unsure by sqrt(0.95 0.05 / 150) = 1.8 %, so 90 .. 99 % is within two to three of
// those. Half the interval would cover 67 %: the test can tell.
#include "check.hpp"
#include "clockmath/merged_model.hpp"
#include "group_world.hpp"

using namespace simulation;

namespace {

constexpr int n_seeds = 150;

struct Coverage {
    double slope = 0.0;      ///< by the standard error, in squares along the way
    double half_slope = 0.0; ///< by half of it
    double intercept = 0.0;
    double slope_interval = 0.0; ///< by eq. (2), end to end along the way
    double intercept_interval = 0.0;
    double interval_width = 0.0; ///< mean width of eq. (2)'s interval of the slope, in that of the standard error
};

bool contains(const ictus::ConfidenceInterval& interval, double value) {
    return interval.low <= value && value <= interval.high;
}

/// Of the model of `rank`.
Coverage coverage(int size, int rank, const std::string& algorithm) {
    Coverage share;
    ictus::SimulatedSettings settings;
    settings.size = size;
    settings.offset_s = 2.0;
    settings.drift = 20e-6;
    settings.link.jitter_s = 0.3e-6;
    for (int seed = 1; seed <= n_seeds; ++seed) {
        settings.seed = static_cast<std::uint64_t>(seed);
        GroupWorld group(settings, algorithm);
        const ictus::Synchronised& own = group.outcome(rank);
        const ictus::ClockModel truth = group.truth(rank);
        const double slope_off = std::abs(own.model.slope - truth.slope) / own.slope_error;
        const double intercept_off = std::abs(own.model.intercept - truth.intercept) / own.intercept_error;
        share.slope += slope_off <= ictus::deviations_95;
        share.half_slope += slope_off <= ictus::deviations_95 / 2;
        share.intercept += intercept_off <= ictus::deviations_95;
        share.slope_interval += contains(own.confidence.slope, truth.slope);
        share.intercept_interval += contains(own.confidence.intercept, truth.intercept.s);
        share.interval_width +=
            (own.confidence.slope.high - own.confidence.slope.low) / (2.0 * ictus::deviations_95 * own.slope_error);
    }
    for (double* one : {&share.slope, &share.half_slope, &share.intercept, &share.slope_interval,
                        &share.intercept_interval, &share.interval_width}) {
        *one /= n_seeds;
    }
    return share;
}

bool about_95(double share) { return share >= 0.90 && share <= 0.99; }

const std::string fit = "fitpoints=40,exchanges=4,rtt_exchanges=10";

} // namespace

TEST(slopes_of_jk_have_the_error_they_claim) {
    const Coverage share = coverage(3, 2, "jk(" + fit + ")");
    CHECK(about_95(share.slope));
    CHECK(share.half_slope < 0.80);
    CHECK(about_95(share.intercept));
}

TEST_IN_MANY_WORLDS(merged_models_have_the_errors_they_claim) {
    // Rank 7 of 8 is three edges away. The clocks are up to 2 s apart, so that the errors of the intercepts, at local
    // time 0, are mostly those of the slopes times some seconds.
    for (const char* algorithm : {"hca", "hca2"}) {
        const std::string rest = std::string("(").append(fit).append(",intercept_exchanges=20)");
        const Coverage share = coverage(8, 7, algorithm + rest);
        CHECK(about_95(share.slope));
        CHECK(share.half_slope < 0.80);
        CHECK(about_95(share.intercept));
    }
}

TEST_IN_MANY_WORLDS(intervals_that_add_end_to_end_are_wider_than_they_claim) {
    // Of three edges that are alike, 3 / sqrt(3) = 1.7 times, which at 95 % an edge covers 99.9 %.
    const Coverage share = coverage(8, 7, "hca2(" + fit + ",intercept_exchanges=20)");
    CHECK(share.slope_interval >= 0.99);
    CHECK(share.intercept_interval >= 0.99);
    CHECK(share.interval_width > 1.4 && share.interval_width <= std::sqrt(3.0) + 1e-9);
    const Coverage one_edge = coverage(2, 1, "hca2(" + fit + ",intercept_exchanges=20)");
    CHECK(about_95(one_edge.slope_interval));
    CHECK_NEAR(1.0, one_edge.interval_width, 1e-9);
}

TEST_IN_MANY_WORLDS(drifts_of_ictus_have_the_errors_they_state_along_the_tree) {
    // The last rank is one edge away at 2 and 3 ranks, two at 5 and three at 8.
    for (const int size : {2, 3, 5, 8}) {
        const Coverage share = coverage(size, size - 1, "ictus(span=20ms,arity=2)");
        CHECK(share.slope >= 0.90);
        CHECK(share.half_slope < 0.95);
    }
}
