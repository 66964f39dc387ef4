// MPIX_Harmonize in simulated worlds, where the true start of each rank is known.
#include "check.hpp"
#include "harmonize/harmonizer.hpp"
#include "held_transport.hpp"
#include "procsync/procsync.hpp"
#include "synchronisation.hpp"

using namespace ictus;
using simulation::HeldTransport;

namespace {

SimulatedSettings world(int size) {
    SimulatedSettings settings;
    settings.size = size;
    settings.seed = 5;
    settings.offset_s = 1.0;
    settings.drift = 20e-6;
    settings.link.jitter_s = 0.2e-6;
    return settings;
}

Bound bound_of(const std::string& text) { return bind(procsync::family(), parse_spec(text)); }

harmonize::HarmonizeSettings settings_of(const std::string& text = "harmonize") {
    return harmonize::HarmonizeSettings(bound_of(text));
}

/// Of one call: when each rank really went on, what it was told, and how far apart their clocks were then.
struct Call {
    std::vector<double> left;
    std::vector<bool> met;
    double clock_error_s = 0.0;

    [[nodiscard]] double skew() const {
        const auto [first, last] = std::minmax_element(left.begin(), left.end());
        return *last - *first;
    }
    [[nodiscard]] bool all_met() const {
        return std::all_of(met.begin(), met.end(), [](bool one) { return one; });
    }
};

/// `n` calls of one harmonizer. `before` may hold a rank up: of call, transport and the rank's harmonizer.
template <class Before>
std::vector<Call> meet(const SimulatedSettings& settings, const std::string& text, int n, Before before) {
    const auto size = static_cast<std::size_t>(settings.size);
    std::vector<Call> calls(static_cast<std::size_t>(n), {std::vector<double>(size), std::vector<bool>(size)});
    std::vector<std::vector<double>> shown(calls.size(), std::vector<double>(size)); // global time of one true instant
    SimulatedWorld simulated(settings);
    simulated.run([&](Transport& base) {
        HeldTransport transport(base);
        Harmonizer harmonizer(transport, settings_of(text));
        const auto rank = static_cast<std::size_t>(base.rank());
        harmonizer.prepare();
        for (std::size_t i = 0; i < calls.size(); ++i) {
            before(static_cast<int>(i), transport, harmonizer);
            calls[i].met[rank] = harmonizer.meet();
            calls[i].left[rank] = simulated.true_time(base.rank());
            const double instant = 1e-3 * static_cast<double>(i);
            shown[i][rank] = harmonizer.clock().to_global(simulated.clock_at(base.rank(), instant)).s;
        }
    });
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto [least, most] = std::minmax_element(shown[i].begin(), shown[i].end());
        calls[i].clock_error_s = *most - *least;
    }
    return calls;
}

void nothing(int, HeldTransport&, Harmonizer&) {}

} // namespace

TEST(all_ranks_go_on_at_one_true_instant_within_the_error_of_their_clocks) {
    for (const int size : simulation::sizes) {
        // Without drift the clocks' error is the same at all times. A wait ends one or two readings of 20 ns late.
        auto settings = world(size);
        settings.drift = 0.0;
        for (const Call& call : meet(settings, "harmonize", 50, nothing)) {
            CHECK(call.all_met());
            CHECK(call.clock_error_s < 0.5e-6);
            CHECK(call.skew() <= call.clock_error_s + 2 * settings.reading_s);
        }
    }
}

TEST(a_rank_that_comes_late_holds_all_others_and_all_still_meet) {
    constexpr double delay = 0.02;
    for (const int size : simulation::sizes) {
        for (int late = 0; late < size; ++late) {
            double came = 0.0;
            const auto calls = meet(world(size), "harmonize", 3, [&](int call, HeldTransport& transport, Harmonizer&) {
                if (call == 1 && transport.rank() == late) {
                    const LocalTime now = transport.now();
                    transport.wait_until(now + delay);
                    came = delay * 0.99; // true time from the call before, for no clock is wrong by 1 %
                }
            });
            for (const double left : calls[1].left) {
                CHECK(left - calls[0].left[static_cast<std::size_t>(late)] >= came);
            }
            CHECK(calls[1].all_met());
            CHECK(calls[2].all_met());
        }
    }
}

TEST(a_stalled_rank_is_told_and_the_slack_grows_where_that_helps) {
    for (const int size : {2, 3, 5, 8}) {
        for (int stalled = 0; stalled < size; ++stalled) {
            for (const double stall : {100e-6, 0.036}) { // a slack of up to 1 ms bridges the first, none the second
                std::vector<double> slack(4);
                std::vector<std::uint64_t> synchronisations(4);
                const auto calls = meet(world(size), "harmonize(slack=20us,spacing=0)", 4,
                                        [&](int call, HeldTransport& transport, Harmonizer& harmonizer) {
                                            if (transport.rank() == stalled) {
                                                transport.hold_after_announcement(call == 1 ? stall : 0.0);
                                            }
                                            if (transport.rank() == 0) {
                                                slack[static_cast<std::size_t>(call)] = harmonizer.statistics().slack_s;
                                                synchronisations[static_cast<std::size_t>(call)] =
                                                    harmonizer.statistics().synchronisations;
                                            }
                                        });
                for (int rank = 0; rank < size; ++rank) {
                    CHECK_EQ(rank != stalled, calls[1].met[static_cast<std::size_t>(rank)]);
                }
                CHECK(calls[0].all_met());
                CHECK(calls[2].all_met());
                CHECK(calls[3].all_met());
                CHECK(calls[2].skew() <= calls[2].clock_error_s + 1e-7);
                CHECK_NEAR(20e-6, slack[2], 1e-15);
                CHECK_NEAR(stall < 1e-3 ? 30e-6 : 20e-6, slack[3], 1e-15);
                CHECK_EQ(1U, synchronisations[2]);
                CHECK_EQ(2U, synchronisations[3]); // the call after the stall synchronises
            }
        }
    }
}

TEST(the_slack_grows_to_its_cap_and_no_further_and_shrinks_when_all_is_well) {
    std::vector<double> slack;
    const int stalls = 10;
    (void)meet(world(3), "harmonize(slack=20us,cap=400us,run=5)", stalls + 400,
               [&](int call, HeldTransport& transport, Harmonizer& harmonizer) {
                   // Held for half as long again as the slack before this one: for the slack in force now.
                   const double now = harmonizer.statistics().slack_s;
                   if (transport.rank() == 2) {
                       transport.hold_after_announcement(call > 0 && call <= stalls ? now * 1.5 : 0.0);
                   }
                   if (transport.rank() == 0) {
                       slack.push_back(now);
                   }
               });
    // 20 us * 1.5^k: 30, 45, 67.5, 101.25, 151.9, 227.8, 341.7 and then 512.6, which is above the cap.
    double expected = 20e-6;
    for (int call = 3; call <= stalls; ++call) {
        expected = std::min(1.5 * expected, 400e-6);
        CHECK_NEAR(expected, slack[static_cast<std::size_t>(call)], 1e-9);
    }
    CHECK(*std::max_element(slack.begin(), slack.end()) <= 400e-6);
    CHECK_NEAR(20e-6, slack.back(), 1e-12);
}

TEST(a_clock_that_proves_nothing_is_synchronised_anew_every_second) {
    // 20 ppm: after 0.9 s a clock is up to 18 us off, and a call at 1.1 s is right again.
    std::vector<std::uint64_t> synchronisations;
    const double pauses[] = {0.0, 0.9, 0.2, 0.0};
    const auto calls = meet(world(4), "harmonize", 4, [&](int call, HeldTransport& transport, Harmonizer& harmonizer) {
        transport.wait_until(transport.now() + pauses[call]);
        if (transport.rank() == 0) {
            synchronisations.push_back(harmonizer.statistics().synchronisations);
        }
    });
    CHECK(calls[1].skew() > 2e-6);
    CHECK(!calls[1].all_met());
    CHECK(calls[2].skew() < 1e-6);
    CHECK(calls[3].skew() < 1e-6);
    CHECK_EQ(1U, synchronisations[2]);
    CHECK_EQ(2U, synchronisations[3]);
}

TEST(a_rank_to_which_the_deadline_is_too_far_off_is_told_and_does_not_wait_for_it) {
    // A clock that is slow hears of a deadline that is farther off than the slack, which no right clock can. Set back
    // by a minute, or by a little more than the slack: in no case is the call longer than the slack, or the flag 1.
    for (const int size : {2, 3, 5, 8}) {
        for (const double back : {60.0, 30e-6}) {
            std::vector<double> came(4);
            std::vector<std::uint64_t> synchronisations(4);
            const auto calls = meet(world(size), "harmonize(slack=20us,spacing=1e9)", 4,
                                    [&](int call, HeldTransport& transport, Harmonizer& harmonizer) {
                                        const auto i = static_cast<std::size_t>(call);
                                        if (transport.rank() == size - 1) {
                                            transport.set_back(call == 1 ? back : 0.0);
                                            came[i] = (transport.now() - LocalTime{}) + (call > 0 ? back : 0.0);
                                            synchronisations[i] = harmonizer.statistics().synchronisations;
                                        }
                                    });
            CHECK(calls[0].all_met());
            CHECK(!calls[1].met[static_cast<std::size_t>(size) - 1]);
            CHECK(calls[1].met[0]);
            CHECK(calls[1].skew() < 30e-6);
            CHECK(came[2] - came[1] < 60e-6);
            CHECK_EQ(1U, synchronisations[2]);
            CHECK_EQ(2U, synchronisations[3]); // its clock has expired, however little ago it was synchronised
            CHECK(calls[2].all_met());
            CHECK(calls[3].all_met());
        }
    }
}

TEST(clocks_that_drift_do_not_grow_the_slack) {
    // 100 ppm, calls 0.12 s apart: up to 24 us astray each time, many times the slack. Who is fast misses, who is slow
    // would wait too long: all that helps is to synchronise, and no start that was off is taken for a common one.
    auto settings = world(4);
    settings.drift = 100e-6;
    std::vector<double> slack;
    const auto calls =
        meet(settings, "harmonize(expiry=1000s)", 40, [&](int, HeldTransport& transport, Harmonizer& harmonizer) {
            transport.wait_until(transport.now() + 0.12);
            if (transport.rank() == 0) {
                slack.push_back(harmonizer.statistics().slack_s);
            }
        });
    const auto missed = std::count_if(calls.begin(), calls.end(), [](const Call& call) { return !call.all_met(); });
    CHECK(missed >= 10);
    for (const Call& call : calls) {
        CHECK(!call.all_met() || call.skew() < 10e-6);
    }
    CHECK(*std::max_element(slack.begin() + 1, slack.end()) <= slack[1]);
}

TEST(a_slack_that_is_too_short_grows_however_rare_calls_are) {
    // Rank 1 needs 50 us each time. Calls 0.12 s apart: a first miss may be the clock's, the next one, just after
    // synchronising, is not.
    std::vector<double> slack;
    const auto calls =
        meet(world(2), "harmonize(slack=20us)", 12, [&](int, HeldTransport& transport, Harmonizer& harmonizer) {
            transport.wait_until(transport.now() + 0.12);
            transport.hold_after_each_announcement(transport.rank() == 1 ? 50e-6 : 0.0);
            slack.push_back(harmonizer.statistics().slack_s);
        });
    CHECK(slack.back() > 50e-6);
    CHECK(calls.back().all_met());
}

TEST(a_slack_that_is_too_short_after_other_work_only_grows_too) {
    // Rank 1 needs 50 us in the calls after 0.12 s of other work, and next to nothing in those just after
    // synchronising: the right clock says that it was late all the same.
    std::vector<double> slack;
    std::uint64_t synchronised = 0;
    const auto calls =
        meet(world(2), "harmonize(slack=20us)", 12, [&](int, HeldTransport& transport, Harmonizer& harmonizer) {
            const bool missed = harmonizer.statistics().synchronisations > synchronised;
            synchronised = harmonizer.statistics().synchronisations;
            transport.wait_until(transport.now() + 0.12);
            transport.hold_after_announcement(transport.rank() == 1 && !missed ? 50e-6 : 0.0);
            slack.push_back(harmonizer.statistics().slack_s);
        });
    CHECK(*std::max_element(slack.begin(), slack.end()) > 40e-6);
}

TEST(a_coarse_clock_is_not_told_to_have_slept) {
    // Steps of 5 us: a wait for what lies between two of them ends up to 5 us late, which is the reading's worth.
    auto settings = world(3);
    settings.drift = 0.0;
    const auto met = [&](double step_s) {
        int count = 0;
        SimulatedWorld simulated(settings);
        simulated.run([&](Transport& base) {
            HeldTransport transport(base);
            transport.coarsen(step_s);
            Harmonizer harmonizer(transport, settings_of("harmonize(slack=100us)"));
            for (int i = 0; i < 20; ++i) {
                count += harmonizer.meet() ? 1 : 0;
            }
            CHECK_EQ(0U, harmonizer.statistics().overslept);
            transport.oversleep(1e-3);
            CHECK(!harmonizer.meet()); // what is more than its steps is still seen
        });
        return count;
    };
    CHECK_EQ(60, met(0.0));
    CHECK_EQ(60, met(5e-6));
    CHECK_EQ(60, met(0.5e-6));
}

TEST(a_clock_with_a_proven_bound_lives_as_long_as_the_bound_allows) {
    // 0.01 ppm per root second alone leaves 28 s; the error of the drift that was learnt in 0.1 s far less. A tolerance
    // of 1 s never ends it before the longest lifetime.
    const auto synchronisations = [](const std::string& text) {
        std::uint64_t made = 0;
        (void)meet(world(2), text, 40, [&](int, HeldTransport& transport, Harmonizer& harmonizer) {
            transport.wait_until(transport.now() + 0.5);
            made = harmonizer.statistics().synchronisations;
        });
        return made;
    };
    CHECK_EQ(1U, synchronisations("harmonize(clocksync=ictus(exchanges=10),tolerance=1s)"));
    CHECK_EQ(10U, synchronisations(
                      "harmonize(clocksync=ictus(exchanges=10),tolerance=1s,expiry=1.9s)")); // every fourth call
    CHECK(synchronisations("harmonize(clocksync=ictus(exchanges=10))") > 1U);
    CHECK_EQ(20U, synchronisations("harmonize")); // 1 s: every second call of those 0.5 s apart
}

TEST(ranks_that_miss_again_and_again_do_not_synchronise_all_the_time) {
    // One message of 1.2 us on average there and one back: 20 exchanges in each of two rounds are about 100 us, and a
    // call in which a rank is 50 us late about 75 us. So at most every thirteenth.
    const auto synchronisations = [](const std::string& spacing) {
        std::uint64_t made = 0;
        (void)meet(world(4), "harmonize(slack=20us,cap=20us,spacing=" + spacing + ")", 200,
                   [&](int, HeldTransport& transport, Harmonizer& harmonizer) {
                       transport.hold_after_announcement(transport.rank() == 3 ? 50e-6 : 0.0);
                       made = harmonizer.statistics().synchronisations;
                   });
        return made;
    };
    // Every second call synchronises, and then its rank 3 is held up before that instead of being late.
    CHECK_EQ(100U, synchronisations("0"));
    CHECK(synchronisations("10") <= 200 / 13 + 1);
    CHECK(synchronisations("10") >= 10);
}

TEST(a_rank_that_sleeps_over_the_deadline_is_told_too) {
    std::vector<std::uint64_t> synchronisations;
    const auto calls = meet(world(2), "harmonize", 3, [&](int call, HeldTransport& transport, Harmonizer& harmonizer) {
        transport.oversleep(call == 1 && transport.rank() == 1 ? 0.004 : 0.0);
        synchronisations.push_back(harmonizer.statistics().synchronisations);
    });
    CHECK(calls[1].met[0]);
    CHECK(!calls[1].met[1]);
    CHECK(calls[2].all_met());
    CHECK_EQ(1U, synchronisations.back()); // nothing was wrong with the clocks
}

TEST(a_call_takes_two_messages_for_each_rank_but_the_root) {
    for (const int size : simulation::sizes) {
        std::uint64_t before = 0;
        std::uint64_t after = 0;
        SimulatedWorld simulated(world(size));
        simulated.run([&](Transport& transport) {
            Harmonizer harmonizer(transport, settings_of());
            harmonizer.prepare();
            before += transport.messages_sent();
            for (int i = 0; i < 10; ++i) {
                CHECK(harmonizer.meet());
            }
            after += transport.messages_sent();
        });
        CHECK_EQ(20U * static_cast<unsigned>(size - 1), after - before);
    }
}

TEST(the_first_slack_is_twice_what_a_broadcast_takes) {
    // 8 ranks: three messages of 1 us and, on average, 0.2 us of jitter each, one after the other; and readings of 20
    // ns.
    double slack = 0.0;
    const auto calls = meet(world(8), "harmonize", 1, [&](int, HeldTransport&, Harmonizer&) {});
    CHECK(calls[0].all_met());
    (void)meet(world(8), "harmonize", 2,
               [&](int, HeldTransport&, Harmonizer& harmonizer) { slack = harmonizer.statistics().slack_s; });
    CHECK(slack > 2 * 3e-6);
    CHECK(slack < 2 * 5e-6);
}

TEST(the_process_synchronisation_of_that_name_flags_who_is_late) {
    SimulatedWorld simulated(world(3));
    simulated.run([&](Transport& base) {
        HeldTransport transport(base);
        GlobalClock launch(transport);
        const auto start = procsync::registry().make(bound_of("harmonize(slack=20us)"), {transport, launch, false});
        start->prepare(1e-6);
        start->begin();
        CHECK_EQ(0, start->start());
        transport.hold_after_announcement(base.rank() == 1 ? 0.1e-3 : 0.0);
        CHECK_EQ(base.rank() == 1 ? late_flag : 0, start->start());
        transport.hold_after_announcement(0.0);
        CHECK_EQ(0, start->start());
    });
}

TEST(constants_that_do_not_go_together_are_refused) {
    CHECK_THROWS(settings_of("harmonize(slack=2ms)"), "a slack of 2.00 ms is above its cap of 1.00 ms");
    CHECK_THROWS(settings_of("harmonize(clocksync=none)"), "clocksync 'none' gives no global time");
    CHECK_THROWS(settings_of("harmonize(growth=0.5)"), "growth");
    CHECK_THROWS(settings_of("harmonize(slack=0)"), "slack"); // it could not grow
    CHECK_THROWS(settings_of("harmonize(patience=1)"), "patience");
}

TEST(what_follows_after_the_instant_begins_at_one_true_instant_however_late_a_rank_woke) {
    for (const int size : simulation::sizes) {
        auto settings = world(size);
        settings.drift = 0.0;
        std::vector<double> woke(static_cast<std::size_t>(size));
        std::vector<double> began(woke.size());
        SimulatedWorld simulated(settings);
        simulated.run([&](Transport& transport) {
            Harmonizer harmonizer(transport, settings_of());
            const auto rank = static_cast<std::size_t>(transport.rank());
            CHECK(harmonizer.meet());
            transport.wait_until(transport.now() + 5e-6 * static_cast<double>(rank));
            woke[rank] = simulated.true_time(transport.rank());
            harmonizer.wait_after(100e-6);
            began[rank] = simulated.true_time(transport.rank());
        });
        const auto spread = [](const std::vector<double>& times) {
            const auto [first, last] = std::minmax_element(times.begin(), times.end());
            return *last - *first;
        };
        CHECK(spread(woke) >= 4e-6 * (size - 1));
        CHECK(spread(began) < 0.5e-6);
        CHECK(began[0] - woke[0] > 90e-6);
    }
}
