// Control traffic and process synchronisations in simulated worlds.
#include "check.hpp"
#include "clocksync/clocksync.hpp"
#include "procsync/procsync.hpp"
#include "synchronisation.hpp"
#include "transport/control.hpp"
#include "transport/simulated_world.hpp"

using namespace ictus;

namespace {

SimulatedSettings world(int size) {
    SimulatedSettings settings;
    settings.size = size;
    settings.seed = 11;
    settings.offset_s = 1.0;
    settings.drift = 20e-6;
    settings.link.jitter_s = 0.2e-6;
    return settings;
}

std::unique_ptr<ProcSync> make(const std::string& text, const ProcSyncContext& place) {
    return procsync::registry().make(bind(procsync::family(), parse_spec(text)), place);
}

} // namespace

TEST(control_traffic_reaches_everyone_at_every_size) {
    for (int size = 1; size <= 17; ++size) {
        SimulatedWorld simulated(world(size));
        simulated.run([&](Transport& transport) {
            CHECK_EQ(42, control::broadcast_value(transport, transport.rank() == 0 ? 42 : -1));
            CHECK_EQ(static_cast<double>(size - 1), control::largest(transport, transport.rank()));
            CHECK_EQ(-1.0, control::largest(transport, -1.0 - transport.rank()));
            const double none = transport.rank() == size / 2 ? std::nan("") : 1.0;
            CHECK(std::isnan(control::largest(transport, none)));
            std::vector<std::uint16_t> flags(3, 0);
            flags[1] = transport.rank() == size - 1 ? late_flag : overrun_flag;
            control::combine_flags(transport, flags);
            CHECK_EQ(0, flags[0]);
            CHECK_EQ(size == 1 ? late_flag : late_flag | overrun_flag, flags[1]);
        });
    }
}

TEST(windows_start_all_ranks_within_the_clock_error) {
    for (const int size : simulation::sizes) {
        SimulatedWorld simulated(world(size));
        constexpr int repetitions = 50;
        std::vector<std::vector<double>> starts(repetitions, std::vector<double>(static_cast<std::size_t>(size)));
        simulated.run([&](Transport& transport) {
            GlobalClock clock(transport);
            const auto sync =
                clocksync::registry().make(bind(clocksync::family(), parse_spec("hca3(fitpoints=100,exchanges=20)")));
            clock.set_model(sync->synchronise(transport).model);
            const auto window = make("window(size=50us)", {transport, clock, true});
            window->prepare(1e-6);
            window->begin();
            for (int i = 0; i < repetitions; ++i) {
                CHECK_EQ(0, window->start());
                starts[static_cast<std::size_t>(i)][static_cast<std::size_t>(transport.rank())] =
                    simulated.true_time(transport.rank());
                CHECK_EQ(0, window->finish(transport.now()));
            }
        });
        for (const auto& one : starts) {
            const auto [first, last] = std::minmax_element(one.begin(), one.end());
            CHECK(*last - *first < 0.3e-6);
        }
    }
}

TEST(a_stall_of_36_ms_voids_at_most_its_batch) {
    // 100 us windows: with one anchor for all, 360 windows would be late.
    auto settings = world(2);
    settings.stalls = {{1, 0.2, 0.036}};
    SimulatedWorld simulated(settings);
    int late = 0;
    int on_time = 0;
    simulated.run([&](Transport& transport) {
        GlobalClock clock(transport);
        const auto sync =
            clocksync::registry().make(bind(clocksync::family(), parse_spec("hca3(fitpoints=100,exchanges=20)")));
        clock.set_model(sync->synchronise(transport).model);
        const auto window = make("window(size=100us)", {transport, clock, true});
        window->prepare(1e-6);
        window->begin();
        for (int i = 0; i < 2000; ++i) {
            const SampleFlags flags = window->start();
            if (transport.rank() == 1) {
                (flags == 0 ? on_time : late) += 1;
            }
        }
    });
    CHECK(late >= 1);
    CHECK(late <= 20);
    CHECK(on_time >= 1980);
}

TEST(a_call_longer_than_its_window_is_flagged) {
    SimulatedWorld simulated(world(2));
    simulated.run([&](Transport& transport) {
        GlobalClock clock(transport);
        const auto sync =
            clocksync::registry().make(bind(clocksync::family(), parse_spec("hca3(fitpoints=100,exchanges=20)")));
        clock.set_model(sync->synchronise(transport).model);
        const auto window = make("window(size=10us,batch=1)", {transport, clock, true});
        window->prepare(1e-6);
        window->begin();
        CHECK_EQ(0, window->start());
        transport.wait_until(transport.now() + 9e-6);
        CHECK_EQ(0, window->finish(transport.now()));
        CHECK_EQ(0, window->start());
        transport.wait_until(transport.now() + 11e-6);
        CHECK_EQ(overrun_flag, window->finish(transport.now()));
    });
}

TEST(the_automatic_window_is_three_times_the_latency) {
    SimulatedWorld simulated(world(2));
    simulated.run([&](Transport& transport) {
        GlobalClock clock(transport);
        const auto window = make("window", {transport, clock, true});
        window->prepare(30e-6);
        CHECK_NEAR(90e-6, window->window_s(), 1e-12);
        window->prepare(1e-9);
        CHECK_NEAR(2e-6, window->window_s(), 1e-12);
    });
}

TEST(a_window_without_a_global_time_is_refused) {
    SimulatedWorld simulated(world(2));
    CHECK_THROWS(simulated.run([&](Transport& transport) {
        GlobalClock clock(transport);
        (void)make("window", {transport, clock, false});
    }),
                 "clocksync is 'none'");
}

TEST(a_barrier_before_each_repetition_and_nothing_else) {
    SimulatedWorld simulated(world(3));
    simulated.run([&](Transport& transport) {
        GlobalClock clock(transport);
        const auto start = make("barrier", {transport, clock, false});
        if (transport.rank() == 2) {
            transport.wait_until(transport.now() + 0.005);
        }
        CHECK_EQ(0, start->start());
        CHECK(simulated.true_time(transport.rank()) >= 0.0049);
        CHECK(std::isnan(start->window_s()));
        const auto none = make("none", {transport, clock, false});
        const std::uint64_t sent = transport.messages_sent();
        CHECK_EQ(0, none->start());
        CHECK_EQ(sent, transport.messages_sent());
    });
}

TEST(ranks_that_wait_for_each_other_are_named) {
    SimulatedWorld simulated(world(2));
    CHECK_THROWS(simulated.run([](Transport& transport) {
        std::byte byte{};
        transport.receive(1 - transport.rank(), {&byte, 1});
    }),
                 "every rank waits: rank 0 for rank 1; rank 1 for rank 0;");
}
