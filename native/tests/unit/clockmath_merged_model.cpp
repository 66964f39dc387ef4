// Errors of merged models, against numbers by hand and against brute force. Slopes and errors are far beyond any
// clock's, so that no product term is too small to be missed.
#include "base/random.hpp"
#include "check.hpp"
#include "clockmath/merged_model.hpp"

#include <cmath>
#include <numbers>

using namespace ictus;

namespace {

bool contains(const ConfidenceInterval& in, double value) { return in.low <= value && value <= in.high; }

double uniform(SplitMix64& random, const ConfidenceInterval& in) {
    return in.low + (in.high - in.low) * random.uniform();
}

double normal(SplitMix64& random, double mean, double deviation) { // Box and Muller 1958
    const double radius = std::sqrt(-2.0 * std::log(1.0 - random.uniform()));
    return mean + deviation * radius * std::cos(2.0 * std::numbers::pi * random.uniform());
}

constexpr ModelInterval near_interval{{0.1, 0.2}, {-0.1, 0.1}};
constexpr ModelInterval far_interval{{-0.3, 0.1}, {-7.0, -5.0}};

/// An edge as it is measured: an offset at a time, and a slope, independent of each other.
struct Edge {
    double slope, slope_error, at, offset, offset_error;
    [[nodiscard]] MergedModel model() const {
        return edge_model(model_through(LocalTime(at), ClockOffset(offset), slope), LocalTime(at), offset_error,
                          slope_error);
    }
    [[nodiscard]] ClockModel draw(SplitMix64& random) const {
        const double drawn = normal(random, slope, slope_error);
        return model_through(LocalTime(at), ClockOffset(normal(random, offset, offset_error)), drawn);
    }
};

constexpr Edge near_edge{.slope = 0.1, .slope_error = 0.02, .at = 3.0, .offset = 2.0, .offset_error = 0.05};
constexpr Edge far_edge{.slope = -0.2, .slope_error = 0.03, .at = 5.0, .offset = -6.0, .offset_error = 0.04};

struct Moments {
    double slope_variance = 0.0, covariance = 0.0, intercept_variance = 0.0;
};

constexpr int n_draws = 200000;

Moments brute_force() {
    SplitMix64 random(11);
    double s = 0.0, i = 0.0, ss = 0.0, si = 0.0, ii = 0.0;
    for (int k = 0; k < n_draws; ++k) {
        const ClockModel near = near_edge.draw(random);
        const ClockModel merged = compose(near, far_edge.draw(random));
        s += merged.slope;
        i += merged.intercept.s;
        ss += merged.slope * merged.slope;
        si += merged.slope * merged.intercept.s;
        ii += merged.intercept.s * merged.intercept.s;
    }
    const double n = n_draws;
    return {(ss - s * s / n) / n, (si - s * i / n) / n, (ii - i * i / n) / n};
}

} // namespace

TEST(intervals_by_hand) {
    // Products of slopes: -0.06 .. 0.02; of far intercept and near slope: -1.4 .. -0.5.
    const ModelInterval merged = compose(near_interval, far_interval);
    CHECK_NEAR(0.1 - 0.3 - 0.02, merged.slope.low, 1e-15);
    CHECK_NEAR(0.2 + 0.1 + 0.06, merged.slope.high, 1e-15);
    CHECK_NEAR(-0.1 - 7.0 + 0.5, merged.intercept.low, 1e-14);
    CHECK_NEAR(0.1 - 5.0 + 1.4, merged.intercept.high, 1e-14);
}

TEST(every_merged_model_lies_in_the_merged_interval) {
    // The merged slope is 1 - (1 - s21) (1 - s32), so it lies in 1 - 0.9 1.3 .. 1 - 0.8 0.9, -0.17 .. 0.28. Eq. (2)
    // takes sum and product at different corners, -0.22 .. 0.36: wider by no more than the product is wide.
    const ModelInterval merged = compose(near_interval, far_interval);
    SplitMix64 random(7);
    ConfidenceInterval slopes{1e9, -1e9};
    int outside_the_reference_clock_form = 0;
    for (int k = 0; k < 100000; ++k) {
        const ClockModel near{uniform(random, near_interval.slope),
                              ClockOffset(uniform(random, near_interval.intercept))};
        const ClockModel far{uniform(random, far_interval.slope), ClockOffset(uniform(random, far_interval.intercept))};
        const ClockModel both = compose(near, far);
        CHECK(contains(merged.slope, both.slope));
        CHECK(contains(merged.intercept, both.intercept.s));
        slopes = {std::min(slopes.low, both.slope), std::max(slopes.high, both.slope)};
        // With the products of i21 and s32 (-0.03 .. 0.03) instead.
        outside_the_reference_clock_form += both.intercept.s < -0.1 - 7.0 - 0.03 || both.intercept.s > 0.1 - 5.0 + 0.03;
    }
    CHECK_NEAR(-0.17, slopes.low, 0.005); // of so many draws one comes as close as that
    CHECK_NEAR(0.28, slopes.high, 0.005);
    CHECK(outside_the_reference_clock_form > 0); // so the order of the factors is seen by this test
}

TEST(merged_standard_errors_are_those_of_random_draws) {
    // A variance from n draws is off by a share of sqrt(2/n), 0.3 %; four times that is permitted.
    const MergedModel merged = compose(near_edge.model(), far_edge.model());
    const Moments drawn = brute_force();
    CHECK_NEAR(drawn.slope_variance, merged.slope_variance, 0.0126 * drawn.slope_variance);
    CHECK_NEAR(drawn.intercept_variance, merged.intercept_variance, 0.0126 * drawn.intercept_variance);
    CHECK_NEAR(drawn.covariance, merged.covariance,
               0.0126 * std::sqrt(drawn.slope_variance * drawn.intercept_variance));
    CHECK_NEAR(std::sqrt(drawn.slope_variance), merged.slope_error(), 0.0126 * merged.slope_error());
    CHECK_NEAR(std::sqrt(drawn.intercept_variance), merged.intercept_error(), 0.0126 * merged.intercept_error());
}

TEST(without_the_covariance_of_an_edge_the_merged_intercept_would_be_wrong) {
    MergedModel near = near_edge.model();
    near.covariance = 0.0;
    const MergedModel merged = compose(near, far_edge.model());
    const Moments drawn = brute_force();
    CHECK(std::abs(merged.intercept_variance - drawn.intercept_variance) > 0.1 * drawn.intercept_variance);
}

TEST(an_anchored_model_has_the_direct_offset_and_the_merged_slope) {
    const MergedModel merged = compose(near_edge.model(), far_edge.model());
    const MergedModel direct = anchored(merged, LocalTime(8.0), ClockOffset(-4.0), 0.01);
    CHECK_NEAR(-4.0, direct.model.offset_at(LocalTime(8.0)).s, 1e-14);
    CHECK_EQ(merged.model.slope, direct.model.slope);
    CHECK_NEAR(merged.slope_error(), direct.slope_error(), 1e-16);
    // intercept = offset - 8 slope
    CHECK_NEAR(std::hypot(0.01, 8.0 * merged.slope_error()), direct.intercept_error(), 1e-15);
    CHECK_NEAR(-4.0 - deviations_95 * 0.01 - 8.0 * merged.interval.slope.high, direct.interval.intercept.low, 1e-14);
    CHECK_NEAR(-4.0 + deviations_95 * 0.01 - 8.0 * merged.interval.slope.low, direct.interval.intercept.high, 1e-14);
    CHECK_NEAR(8.0, direct.model.to_local(direct.at).s, 1e-12);
}

TEST(the_way_from_the_root_to_itself_changes_nothing) {
    const MergedModel edge = far_edge.model();
    const MergedModel same = compose(MergedModel{}, edge);
    CHECK(same.model == edge.model);
    CHECK_EQ(edge.slope_variance, same.slope_variance);
    CHECK_EQ(edge.intercept_variance, same.intercept_variance);
    CHECK_EQ(edge.covariance, same.covariance);
    CHECK_EQ(edge.interval.intercept.low, same.interval.intercept.low);
    CHECK_EQ(edge.at.s, same.at.s);
    CHECK_EQ(1, same.n_edges);
}

TEST(the_time_of_a_way_is_the_mean_over_its_edges) {
    // Three edges of offset only, exact at local times 10, 20 and 60, clocks 1, 3 and 5 ahead of each other: in the
    // root's time at 9, at 20 - 3 - 1 and at 60 - 5 - 3 - 1.
    const auto edge = [](double ahead, double at) {
        return edge_model({0.0, ClockOffset(ahead)}, LocalTime(at), 0.0, 0.0);
    };
    const MergedModel way = compose(compose(edge(1.0, 10.0), edge(3.0, 20.0)), edge(5.0, 60.0));
    CHECK_EQ(3, way.n_edges);
    CHECK_NEAR((9.0 + 16.0 + 51.0) / 3, way.at.s, 1e-14);
}

TEST(where_an_edge_knows_no_error_the_way_knows_none) {
    const double unknown = std::nan("");
    const MergedModel way =
        compose(edge_model({0.0, ClockOffset(1.0)}, LocalTime(10.0), unknown, unknown), far_edge.model());
    CHECK(std::isnan(way.slope_error()) && std::isnan(way.intercept_error()));
    CHECK(!contains(way.interval.slope, way.model.slope));
}
