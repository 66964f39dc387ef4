// HCA3 in worlds whose truth is known. Permitted errors are derived, not fitted: see each test.
#include "check.hpp"
#include "powers.hpp"
#include "synchronisation.hpp"

using namespace simulation;

namespace {

constexpr const char* quick = "hca3(fitpoints=100,span=100ms,exchanges=20)";

ictus::SimulatedSettings world(int size) {
    ictus::SimulatedSettings settings;
    settings.size = size;
    settings.seed = 17;
    settings.offset_s = 3.0; // negative offsets too
    return settings;
}

} // namespace

TEST(known_offsets_without_jitter_are_found_to_the_reading_time) {
    // Both legs take the same time, up to one clock reading (20 ns), which an edge can be off by; depth adds edges.
    for (const int size : sizes) {
        CHECK(judge(world(size), quick, 0.0).largest <= 20e-9 * (1 + ceil_log2(size)));
    }
}

TEST(known_drifts_are_learnt_and_hold_for_ten_seconds) {
    // 100 ppm for 10 s would be 1 ms. Without jitter the slope is wrong by no more than the change of the reading error
    // over the span: below 1 ns in 100 ms, 1e-8.
    for (const int size : sizes) {
        auto settings = world(size);
        settings.drift = 100e-6;
        CHECK(judge(settings, quick, 10.0).largest <= 0.5e-6 * (1 + ceil_log2(size)));
    }
}

TEST(without_a_drift_model_ten_seconds_of_100_ppm_are_lost) {
    auto settings = world(8); // shows that the test above can fail
    settings.drift = 100e-6;
    CHECK(judge(settings, "hca3-offset", 10.0).largest > 100e-6);
}

TEST(jitter_is_averaged_away) {
    // Exponential jitter of 0.3 us: the minimum over 20 exchanges errs by about 0.3 / 20 = 15 ns a leg; the fit adds
    // its slope error times the wait.
    for (const int size : sizes) {
        auto settings = world(size);
        settings.drift = 20e-6;
        settings.link.jitter_s = 0.3e-6;
        settings.link.tail_share = 0.01;
        CHECK(judge(settings, quick, 0.0).largest <= 60e-9 * (1 + ceil_log2(size)));
        CHECK(judge(settings, quick, 1.0).largest <= 300e-9 * (1 + ceil_log2(size)));
    }
}

TEST(asymmetric_links_cost_half_their_asymmetry_an_edge) {
    // No ping-pong can see it: messages upwards (reference to client, lower to higher rank) take 1 us more, so the
    // client believes itself 0.5 us ahead.
    auto settings = world(2);
    settings.link.asymmetry_s = 1e-6;
    const Judged judged = judge(settings, quick, 0.0);
    CHECK_NEAR(-0.5e-6, judged.error[1], 30e-9);
}

TEST(a_rank_suspended_for_50_ms_while_learning_does_no_harm) {
    for (const int rank : {0, 1, 2}) {
        auto settings = world(3);
        settings.drift = 20e-6;
        settings.stalls = {{rank, 0.03, 0.05}};
        CHECK(judge(settings, quick, 1.0).largest <= 1e-6);
    }
}

TEST(the_rounds_run_in_parallel) {
    // Time and messages: ceil(log2 p) rounds of one span each, and every edge costs fitpoints + 1 offsets of 20
    // exchanges of 2 messages, and one message with the bound.
    const Judged judged = judge(world(8), quick, 0.0);
    CHECK(judged.learnt_at < 3 * 0.11);
    CHECK_EQ(std::uint64_t{7} * (101 * 20 * 2 + 1), judged.messages);
}

TEST(the_same_seed_gives_the_same_world) {
    auto settings = world(5);
    settings.link.jitter_s = 1e-6;
    CHECK(judge(settings, quick, 1.0).error == judge(settings, quick, 1.0).error);
    settings.seed = 18;
    CHECK(judge(world(5), quick, 1.0).error != judge(settings, quick, 1.0).error);
}

TEST(a_slope_below_its_error_is_taken_as_none) {
    // Zero drift under heavy jitter: a fitted slope is noise, and the slope test keeps most of it out.
    auto settings = world(2);
    settings.link.jitter_s = 5e-6;
    double with_test = 0.0;
    double without = 0.0;
    for (settings.seed = 1; settings.seed <= 20; ++settings.seed) {
        with_test += judge(settings, "hca3(fitpoints=20,span=10ms,exchanges=5,slope_test=on)", 5.0).largest;
        without += judge(settings, "hca3(fitpoints=20,span=10ms,exchanges=5,slope_test=off)", 5.0).largest;
    }
    CHECK(with_test < 0.9 * without);
}
