#include "check.hpp"
#include "core/rounds.hpp"
#include "synchronisation.hpp"

using namespace simulation;

namespace {

ictus::SimulatedSettings world(int size) {
    ictus::SimulatedSettings settings;
    settings.size = size;
    settings.seed = 5;
    settings.offset_s = 1.0;
    settings.link.jitter_s = 0.3e-6;
    return settings;
}

} // namespace

TEST(offsets_are_found_at_once) {
    for (const int size : sizes) {
        CHECK(judge(world(size), "hca3-offset", 0.0).largest <= 60e-9 * (1 + ictus::ceil_log2(size)));
    }
}

TEST(the_error_grows_with_the_drift) {
    // The drifts of the world are uniform in +-50 ppm: after 10 s the largest error is the largest drift times 10 s,
    // the learning time being short.
    auto settings = world(5);
    settings.drift = 50e-6;
    const Judged now = judge(settings, "hca3-offset", 0.0);
    const Judged later = judge(settings, "hca3-offset", 10.0);
    CHECK(now.largest < 0.5e-6);
    CHECK(later.largest > 50e-6 && later.largest <= 500e-6);
}

TEST(it_is_done_in_well_under_a_millisecond) {
    const Judged judged = judge(world(8), "hca3-offset", 0.0);
    CHECK(judged.learnt_at < 1e-3);
    CHECK_EQ(std::uint64_t{7} * (20 * 2 + 1), judged.messages);
}

TEST(a_modelled_clock_is_re_synchronised_by_its_residual) {
    // A clock that is already right is found to be right: the residual is the error of the earlier model, not the
    // offset of the raw clock.
    const Judged judged = judge(world(1), "hca3-offset", 0.0);
    CHECK_EQ(0.0, judged.largest);
}

TEST(none_leaves_the_clocks_as_they_are) { CHECK(judge(world(3), "none", 0.0).largest > 1e-3); }
