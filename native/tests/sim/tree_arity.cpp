// The tree of `ictus` at many sizes: what its arity does to bounds and duration, and how near the default is to the
// best. ICTUS_HOSTS sets how many hosts the largest world has.
#include "clockmath/tree_arity.hpp"
#include "check.hpp"
#include "synchronisation.hpp"
#include "transport/global_clock.hpp"

#include <cstdlib>

using namespace simulation;

namespace {

/// A tenth of the default's sweeps at its pace: half a millisecond each.
Judged learnt(int hosts, const std::string& arity, int ranks_per_host = 1, const std::string& span = "9.5ms") {
    ictus::SimulatedSettings settings;
    settings.size = hosts * ranks_per_host;
    settings.seed = 41;
    settings.offset_s = 1.0;
    settings.drift = 20e-6;
    settings.link = {.latency_s = 1e-6, .jitter_s = 0.3e-6, .tail_share = 0.01};
    settings.ranks_per_host = ranks_per_host;
    settings.one_clock_a_host = ranks_per_host > 1;
    settings.host_link = {.latency_s = 0.2e-6, .jitter_s = 0.05e-6};
    const std::string name = "ictus(fitpoints=20,exchanges=10,apart=0,arity=" + arity + ",span=" + span + ")";
    return judge(settings, name, 0.0);
}

int most_hosts() {
    const char* const text = std::getenv("ICTUS_HOSTS");
    return text != nullptr ? std::atoi(text) : 256;
}

} // namespace

TEST_IN_MANY_WORLDS(the_default_is_within_a_fifth_of_the_best_product_of_bound_and_duration) {
    for (const auto& [hosts, span] : {std::pair{16, "9.5ms"}, {16, "0"}, {100, "9.5ms"}}) {
        double best = std::numeric_limits<double>::infinity();
        for (const char* arity : {"1", "2", "3", "4", "6", "10", "15", "32"}) {
            const Judged one = learnt(hosts, arity, 1, span);
            CHECK_EQ(0, one.violated);
            best = std::min(best, one.widest * one.learnt_at);
        }
        const Judged own = learnt(hosts, "auto", 1, span);
        CHECK_EQ(0, own.violated);
        CHECK(own.widest * own.learnt_at <= 1.2 * best);
    }
}

TEST_IN_MANY_WORLDS(a_bound_has_half_a_round_trip_a_level_and_the_default_has_few_levels) {
    // The shortest round trip takes 2 us and the reference's reading between its stamps, which is known. 200 exchanges
    // an edge come within some 50 ns of it; drifts unknown by a few 1e-6 add up over the time since the last exchange.
    const int hosts = most_hosts();
    const Judged own = learnt(hosts, "auto");
    const int levels = ictus::tree_depth(hosts, own.arity);
    CHECK(own.arity >= 12);
    CHECK(own.widest >= levels * 1e-6 && own.widest <= levels * 1.5e-6);
    CHECK(own.learnt_at < 11e-3);
    CHECK_EQ(0, own.violated);
    const Judged binary = learnt(hosts, "2");
    CHECK(binary.widest >= ictus::tree_depth(hosts, 2) * 1e-6);
    CHECK(own.widest < 0.5 * binary.widest);
}

TEST_IN_MANY_WORLDS(ranks_of_a_host_take_no_part_in_the_tree) {
    const int hosts = most_hosts();
    const Judged own = learnt(hosts, "auto", 16);
    CHECK_EQ(learnt(hosts, "auto").arity, own.arity);
    CHECK_EQ(0, own.violated);
    CHECK(own.widest <= ictus::tree_depth(hosts, own.arity) * 1.5e-6 + 0.1e-6);
}

TEST(an_exchange_that_takes_longer_leaves_room_for_fewer) {
    // Half a millisecond a sweep has room for 96, 12 and 4.9 bursts of ten exchanges of 0.52, 4.1 and 10.1 us. A star
    // of 64 hosts needs 63; two levels 9, with an arity of 8; three levels 5, with 4: better than twice the time.
    ictus::SimulatedSettings settings;
    settings.size = 64;
    for (const auto& [latency_s, expected] : {std::pair{0.2e-6, 63}, {2e-6, 8}, {5e-6, 4}}) {
        settings.link.latency_s = latency_s;
        CHECK_EQ(expected, judge(settings, "ictus(fitpoints=20,span=9.5ms)", 0.0).arity);
    }
}

TEST(an_arity_that_is_asked_for_is_taken_and_the_clocks_are_measured_again_in_its_tree) {
    ictus::SimulatedSettings settings;
    settings.size = 9;
    ictus::SimulatedWorld world(settings);
    world.run([](ictus::Transport& transport) {
        const auto bound =
            ictus::bind(ictus::clocksync::family(), ictus::parse_spec("ictus(fitpoints=5,arity=3,exchanges=10)"));
        const auto clocksync = ictus::clocksync::registry().make(bound);
        const ictus::Synchronised own = clocksync->synchronise(transport);
        CHECK_EQ(3, own.arity);
        ictus::ModelledTransport modelled(transport, own.model);
        CHECK_EQ(3, clocksync->measure_again(modelled).arity);
    });
}
