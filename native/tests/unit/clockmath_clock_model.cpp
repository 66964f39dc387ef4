#include "check.hpp"
#include "clockmath/clock_model.hpp"

using namespace ictus;

TEST(a_model_and_its_inverse_cancel) {
    const ClockModel model{37e-6, ClockOffset(-0.25)};
    for (const double x : {-3.0, 0.0, 1e-6, 12.5, 3600.0}) {
        CHECK_NEAR(x, model.to_local(model.to_reference(LocalTime(x))).s, 1e-12 * (1.0 + std::abs(x)));
    }
}

TEST(composition_is_one_map_after_the_other) {
    // Slopes far beyond any clock's, so that a forgotten product term shows.
    const ClockModel near{0.125, ClockOffset(3.0)};
    const ClockModel far{-0.25, ClockOffset(-7.0)};
    for (const double x : {-10.0, 0.0, 1.0, 1000.0}) {
        const ReferenceTime between = far.to_reference(LocalTime(x)); // clock 2's, which is near's own
        CHECK_NEAR(near.to_reference(as_own(between)).s, compose(near, far).to_reference(LocalTime(x)).s,
                   1e-12 * (1.0 + std::abs(x)));
    }
}

TEST(interpolation_meets_both_calibrations) {
    const ClockModel opening{20e-6, ClockOffset(0.5)};
    const double residual = 3e-6;
    const ClockModel between = interpolate(opening, LocalTime(10.0), LocalTime(15.0), residual);
    CHECK_NEAR(opening.to_reference(LocalTime(10.0)).s, between.to_reference(LocalTime(10.0)).s, 1e-12);
    CHECK_NEAR(opening.to_reference(LocalTime(15.0)).s - residual, between.to_reference(LocalTime(15.0)).s, 1e-12);
    CHECK_NEAR(opening.to_reference(LocalTime(12.5)).s - residual / 2, between.to_reference(LocalTime(12.5)).s, 1e-12);
}

TEST(without_time_between_the_calibrations_the_opening_stays) {
    const ClockModel opening{20e-6, ClockOffset(0.5)};
    CHECK(interpolate(opening, LocalTime(10.0), LocalTime(10.0), 1e-6) == opening);
}
