#include "check.hpp"
#include "powers.hpp"
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

/// How many of the ranks are within their bound `wait` seconds after the last has learnt; and how many state none.
struct Bounded {
    int within = 0;
    int without = 0;
};

Bounded bounded(const ictus::SimulatedSettings& settings, const std::string& algorithm, double wait) {
    ictus::SimulatedWorld simulated(settings);
    std::vector<ictus::Synchronised> ranks(static_cast<std::size_t>(settings.size));
    simulated.run([&](ictus::Transport& transport) {
        const auto bound = ictus::bind(ictus::clocksync::family(), ictus::parse_spec(algorithm));
        ranks[static_cast<std::size_t>(transport.rank())] =
            ictus::clocksync::registry().make(bound)->synchronise(transport);
    });
    double instant = wait;
    for (int rank = 0; rank < settings.size; ++rank) {
        instant = std::max(instant, simulated.true_time(rank) + wait);
    }
    Bounded count;
    for (int rank = 0; rank < settings.size; ++rank) {
        const auto& own = ranks[static_cast<std::size_t>(rank)];
        const ictus::LocalTime local = simulated.clock_at(rank, instant);
        const double error = std::abs(own.model.to_global(local) - simulated.global_at(instant));
        count.within += error <= own.bound(local) + 1e-12 ? 1 : 0;
        count.without += std::isnan(own.bound(local)) ? 1 : 0;
    }
    return count;
}

} // namespace

TEST(offsets_are_found_at_once) {
    for (const int size : sizes) {
        CHECK(judge(world(size), "hca3-offset", 0.0).largest <= 60e-9 * (1 + ceil_log2(size)));
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
    CHECK_EQ(std::uint64_t{7} * (20 * 2 + 1 + 2), judged.messages); // two more to agree that no bound is contradicted
}

TEST(with_a_known_limit_of_the_drift_every_rank_has_a_bound_and_keeps_it) {
    // Drifts within +-50 ppm of the truth are within 100 ppm of each other, a little more by the second order.
    for (const int size : sizes) {
        auto settings = world(size);
        settings.drift = 50e-6;
        for (const double wait : {0.0, 10.0}) {
            CHECK_EQ(size, bounded(settings, "hca3-offset(drift_limit=101ppm)", wait).within);
            CHECK_EQ(size - 1, bounded(settings, "hca3-offset", wait).without);
        }
        if (size > 2) { // shows that the check can fail
            CHECK(bounded(settings, "hca3-offset(drift_limit=1ppm)", 10.0).within < size);
        }
    }
}

TEST(a_modelled_clock_is_re_synchronised_by_its_residual) {
    // A clock that is already right is found to be right: the residual is the error of the earlier model, not the
    // offset of the raw clock.
    const Judged judged = judge(world(1), "hca3-offset", 0.0);
    CHECK_EQ(0.0, judged.largest);
}

TEST(none_leaves_the_clocks_as_they_are) { CHECK(judge(world(3), "none", 0.0).largest > 1e-3); }
