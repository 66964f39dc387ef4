#include "check.hpp"
#include "clockmath/linear_fit.hpp"

#include <vector>

using namespace ictus;

TEST(an_exact_line_is_recovered_far_from_the_origin) {
    std::vector<double> x, y;
    for (int i = 0; i < 100; ++i) {
        x.push_back(1e5 + i * 1e-3);
        y.push_back(20e-6 * x.back() - 0.125);
    }
    const LinearFit fit = fit_line(x, y);
    CHECK_NEAR(20e-6, fit.slope, 1e-12);
    CHECK_NEAR(-0.125, fit.intercept, 1e-7);
}

TEST(slope_intercept_and_error_by_hand) {
    // x = 0, 1, 2, 3; y = 1, 3, 2, 5: means 1.5 and 2.75; Sxx = 5, Sxy = 5.5, so slope 1.1 and intercept 1.1.
    // Residuals -0.1, 0.8, -1.3, 0.6: squares sum to 2.7; error = sqrt(2.7 / 2 / 5).
    const LinearFit fit = fit_line(std::vector<double>{0, 1, 2, 3}, std::vector<double>{1, 3, 2, 5});
    CHECK_NEAR(1.1, fit.slope, 1e-15);
    CHECK_NEAR(1.1, fit.intercept, 1e-14);
    CHECK_NEAR(std::sqrt(0.27), fit.slope_error, 1e-15);
    // Known best at the mean of x, to sqrt(2.7 / 2 / 4).
    CHECK_EQ(1.5, fit.center);
    CHECK_NEAR(std::sqrt(0.3375), fit.center_error, 1e-15);
}

TEST(too_few_points_have_an_infinite_error) {
    CHECK(std::isinf(fit_line(std::vector<double>{1, 2}, std::vector<double>{1, 2}).slope_error));
    CHECK(std::isinf(fit_line(std::vector<double>{1, 2}, std::vector<double>{1, 2}).center_error));
    CHECK_EQ(1.0, fit_line(std::vector<double>{1, 2}, std::vector<double>{1, 2}).slope);
    const LinearFit level = fit_line(std::vector<double>{3, 3, 3}, std::vector<double>{1, 2, 6});
    CHECK_EQ(0.0, level.slope);
    CHECK_NEAR(3.0, level.intercept, 1e-15);
}
