// Levels of synchronisation on hosts of several ranks, and models propagated inside a verified clock domain.
#include "check.hpp"
#include "counters.hpp"
#include "powers.hpp"
#include "synchronisation.hpp"

using namespace simulation;

namespace {

constexpr const char* learnt = "hca3(fitpoints=50,span=50ms,exchanges=20)";

/// Hosts whose clocks lie seconds apart and drift; messages take 1 us between them and 0.4 us inside.
ictus::SimulatedSettings cluster(int size, int ranks_per_host, bool one_clock_a_host = true) {
    ictus::SimulatedSettings settings = one_host(size, 11);
    settings.ranks_per_host = ranks_per_host;
    settings.one_clock_a_host = one_clock_a_host;
    settings.offset_s = 2.0;
    settings.drift = 50e-6;
    settings.link.jitter_s = 0.1e-6;
    return settings;
}

std::string levels(const std::string& between, const std::string& rest) {
    return "hierarchical(" + between + "," + rest + ")";
}

/// After one second: an edge's offset errs by the reading and the jitter's minimum, its slope by some 3e-8.
double permitted(int hosts, int depth) { return 100e-9 * (depth + ceil_log2(hosts)); }

/// One world over the rounds of its life: synchronise, wait, measure again. The counter of rank `stray` may run faster
/// than that of its host.
class Rounds {
public:
    Rounds(const ictus::SimulatedSettings& settings, const std::string& algorithm, int stray = -1, double drift = 0.0)
        : world_(settings), stray_(stray), drift_(drift), outcome_(static_cast<std::size_t>(settings.size)),
          again_(outcome_.size()) {
        for (int rank = 0; rank < settings.size; ++rank) {
            const auto bound = ictus::bind(ictus::clocksync::family(), ictus::parse_spec(algorithm));
            algorithms_.push_back(ictus::clocksync::registry().make(bound));
        }
    }

    void synchronise() {
        run([&](std::size_t own, ictus::Transport& clock) { outcome_[own] = algorithms_[own]->synchronise(clock); });
    }
    void wait(double seconds) {
        run([&](std::size_t, ictus::Transport& clock) { clock.wait_until(clock.now() + seconds); });
    }
    void measure_again() {
        run([&](std::size_t own, ictus::Transport& clock) {
            ictus::ModelledTransport global(clock, outcome_[own].model);
            again_[own] = algorithms_[own]->measure_again(global);
        });
    }

    /// Of the global clock of a rank, `wait` seconds after all have come to the end so far.
    [[nodiscard]] double error(int rank, double wait) {
        return outcome(rank).model.to_global(local(rank, wait)).s - local(0, wait).s;
    }
    [[nodiscard]] double bound(int rank, double wait) { return outcome(rank).bound(local(rank, wait)); }
    [[nodiscard]] double residual(int rank) const { return again_[static_cast<std::size_t>(rank)].model.intercept.s; }
    [[nodiscard]] const ictus::Synchronised& outcome(int rank) const {
        return outcome_[static_cast<std::size_t>(rank)];
    }

private:
    template <class Step>
    void run(Step step) {
        world_.run([&](ictus::Transport& host) {
            auto own = counter(host, 0.0, host.rank() == stray_ ? drift_ : 0.0);
            step(static_cast<std::size_t>(host.rank()), own);
        });
    }

    [[nodiscard]] ictus::LocalTime local(int rank, double wait) {
        double last = 0.0;
        for (std::size_t one = 0; one < outcome_.size(); ++one) {
            last = std::max(last, world_.true_time(static_cast<int>(one)));
        }
        const ictus::LocalTime shown = world_.clock_at(rank, last + wait);
        return rank == stray_ ? ictus::LocalTime(shown.s * (1.0 + drift_)) : shown;
    }

    ictus::SimulatedWorld world_;
    int stray_;
    double drift_;
    std::vector<ictus::Synchronised> outcome_;
    std::vector<ictus::Synchronised> again_;
    std::vector<std::unique_ptr<ictus::ClockSync>> algorithms_;
};

/// Runs `algorithm` on hosts whose rank r reads a counter of its own, 0.1 s x counter_of(r) ahead of the host's.
template <class CounterOf>
void run_claims(const ictus::SimulatedSettings& settings, const std::string& algorithm, CounterOf counter_of) {
    ictus::SimulatedWorld world(settings);
    world.run([&](ictus::Transport& transport) {
        auto own = counter(transport, 0.1 * counter_of(transport.rank()));
        const auto bound = ictus::bind(ictus::clocksync::family(), ictus::parse_spec(algorithm));
        (void)ictus::clocksync::registry().make(bound)->synchronise(own);
    });
}

} // namespace

TEST(a_host_runs_by_its_leaders_model_to_the_last_bit) {
    for (const int size : {1, 2, 3, 5, 8, 16}) {
        for (const int ranks_per_host : {1, 2, 4, 16}) {
            const auto settings = cluster(size, ranks_per_host);
            const int hosts = (size + ranks_per_host - 1) / ranks_per_host;
            const Judged judged = judge(settings, levels(learnt, "propagate"), 1.0);
            CHECK(judged.largest <= permitted(hosts, 1));
            for (int rank = 0; rank < size; ++rank) {
                const int leader = rank / ranks_per_host * ranks_per_host;
                CHECK_EQ(judged.error[static_cast<std::size_t>(leader)], judged.error[static_cast<std::size_t>(rank)]);
            }
        }
    }
}

TEST(clocks_of_their_own_are_learnt_inside_hosts_too) {
    for (const int size : {1, 2, 3, 5, 8, 16}) {
        for (const int ranks_per_host : {1, 2, 4, 16}) {
            const auto settings = cluster(size, ranks_per_host, false);
            CHECK(judge(settings, levels(learnt, learnt), 1.0).largest <= permitted(size, 2));
        }
    }
}

TEST(three_levels_reach_every_socket_and_rank) {
    // Two sockets a host of four: 4 host leaders, then 2 socket leaders, then 2 ranks.
    for (const int size : {1, 3, 5, 8, 16}) {
        const std::string below = std::string(learnt) + "," + learnt;
        CHECK(judge(cluster(size, 4, false), levels(learnt, below), 1.0).largest <= permitted(size, 3));
    }
    const Judged shared = judge(cluster(16, 4), levels(learnt, "propagate,propagate"), 1.0);
    CHECK(shared.largest <= permitted(4, 1));
    CHECK_EQ(shared.error[4], shared.error[7]);
}

TEST(a_level_of_size_one_is_as_if_it_were_not_there) {
    // Up to the time that the broadcast of a level takes: the errors are judged some microseconds later.
    const auto check_alike = [](const ictus::SimulatedSettings& settings, const std::string& one,
                                const std::string& other) {
        const Judged expected = judge(settings, one, 1.0);
        const Judged found = judge(settings, other, 1.0);
        for (std::size_t rank = 0; rank < expected.error.size(); ++rank) {
            CHECK_NEAR(expected.error[rank], found.error[rank], 1e-11);
        }
    };
    check_alike(cluster(5, 1), learnt, levels(learnt, "propagate"));                // each host has one rank
    check_alike(cluster(5, 5, false), learnt, levels("hca3-offset", learnt));       // there is one host
    const std::string three = levels(learnt, std::string(learnt) + ",hca3-offset"); // each socket has one rank
    check_alike(cluster(4, 2, false), levels(learnt, learnt), three);
}

TEST(only_host_leaders_learn_where_models_are_propagated) {
    // 3 edges between 4 hosts of 50 + 1 offsets of 20 exchanges, each 2 messages, and its bound. Of the 12 members each
    // is checked twice: 2 x (20 x 2 + 1). 4 hosts of 4 ranks agree on their verdicts: 3 up, 3 down. Leaders' outcomes:
    // 3 between hosts, 3 in each.
    const Judged judged = judge(cluster(16, 4), levels(learnt, "propagate"), 0.0);
    CHECK_EQ(std::uint64_t{3 * (51 * 40 + 1) + 12 * 2 * 41 + 4 * 6 + 3 + 4 * 3}, judged.messages);
    // Two rounds of 50 ms and the 20 ms between the checks: hosts at the same time.
    CHECK(judged.learnt_at < 0.13);
}

TEST(a_members_bound_is_its_leaders_and_one_step_of_the_clock) {
    Rounds rounds(cluster(8, 4), levels(learnt, "propagate"));
    rounds.synchronise();
    CHECK_EQ(0.0, rounds.outcome(0).bound.half_width);
    CHECK_NEAR(20e-9, rounds.outcome(3).bound.half_width, 1e-12); // a reading takes 20 ns, so no two are closer
    const ictus::Synchronised& leader = rounds.outcome(4);
    CHECK(leader.bound.half_width > 0.5e-6); // half a round trip between hosts
    for (const int rank : {5, 6, 7}) {
        const ictus::Synchronised& member = rounds.outcome(rank);
        CHECK_EQ(leader.at.s, member.at.s);
        CHECK(leader.bound.at == member.bound.at);
        CHECK_NEAR(leader.bound.half_width + 20e-9, member.bound.half_width, 1e-11); // 20 ns of a drifting clock
        CHECK_EQ(leader.slope_error, member.slope_error);
    }
}

TEST_IN_MANY_WORLDS(bounds_that_are_learnt_on_each_level_hold_as_their_sum) {
    for (const char* within : {"propagate", "ictus"}) {
        auto settings = cluster(8, 2, within == std::string("propagate"));
        for (settings.seed = 1; settings.seed <= 5; ++settings.seed) {
            Rounds rounds(settings, levels("ictus", within));
            rounds.synchronise();
            for (const double wait : {0.0, 1.0, 5.0}) {
                for (int rank = 0; rank < settings.size; ++rank) {
                    CHECK(std::abs(rounds.error(rank, wait)) <= rounds.bound(rank, wait));
                }
            }
        }
    }
}

TEST(a_block_that_ends_is_measured_level_by_level) {
    // The clocks' drifts wander by some 1e-6 in the 2 s. Both ends of an edge then move by up to that: the found
    // residual may miss the truth by an edge's error, some 10 ns for 100 exchanges at a jitter of 0.1 us.
    auto settings = cluster(16, 4);
    settings.wander = 1e-6;
    Rounds rounds(settings, levels(learnt, "propagate"));
    rounds.synchronise();
    rounds.wait(2.0);
    rounds.measure_again();
    double largest = 0.0;
    for (int rank = 0; rank < settings.size; ++rank) {
        CHECK_NEAR(rounds.error(rank, 0.0), rounds.residual(rank), 0.1e-6);
        CHECK_EQ(rounds.residual(rank / 4 * 4), rounds.residual(rank)); // one counter, one residual
        largest = std::max(largest, std::abs(rounds.residual(rank)));
    }
    CHECK(largest > 0.2e-6); // shows that there was something to find
}

TEST(a_counter_that_goes_another_way_is_seen_when_the_block_ends) {
    // Its first check passes: they meet at zero. After 1 s of 100 ppm they are 100 us apart.
    Rounds rounds(one_host(3), "propagate(apart=0)", 1, 100e-6);
    rounds.synchronise();
    rounds.wait(1.0);
    rounds.measure_again();
    CHECK_NEAR(0.0, rounds.residual(2), 0.2e-6);
    CHECK_NEAR(100e-6, rounds.residual(1), 1e-6);
    CHECK_THROWS((rounds.synchronise(), 0), "rank 1 does not read the clock of rank 0 (10");
}

TEST(ranks_that_do_not_share_the_clock_they_claim_are_an_error_that_names_them) {
    const auto settings = cluster(8, 4);
    const auto two_counters = [](int rank) { return rank == 5 || rank == 7 ? 1 : 0; };
    CHECK_THROWS((run_claims(settings, levels("hca3-offset", "propagate"), two_counters), 0),
                 "ranks 5 and 7 do not read the clock of rank 4 (100 ms apart)");
    CHECK_THROWS((run_claims(settings, levels("hca3-offset", "propagate"), two_counters), 0),
                 "--clocksync 'hierarchical(hca3,hca3)'");
    run_claims(settings, levels("hca3-offset", "hca3-offset"), two_counters); // the remedy
}

TEST(propagate_alone_serves_one_host_of_one_clock) {
    for (const int size : {1, 2, 3, 5, 8, 16}) {
        const Judged judged = judge(one_host(size), "propagate", 10.0);
        CHECK_EQ(0.0, judged.largest);
    }
    CHECK_THROWS(judge(cluster(4, 2), "propagate", 0.0), "rank 2 is not known to read the clock of rank 0");
    CHECK_THROWS(judge(cluster(4, 2), "propagate", 0.0), "--clock-domain host");
}

TEST(counters_that_drift_apart_are_found_by_the_second_check) {
    const auto drifting = [](const std::string& algorithm) {
        ictus::SimulatedWorld world(one_host(2));
        world.run([&](ictus::Transport& transport) {
            auto own = counter(transport, 0.0, transport.rank() == 1 ? 100e-6 : 0.0);
            const auto bound = ictus::bind(ictus::clocksync::family(), ictus::parse_spec(algorithm));
            (void)ictus::clocksync::registry().make(bound)->synchronise(own);
        });
        return 0;
    };
    CHECK_THROWS(drifting("propagate"), "rank 1 does not read the clock of rank 0 (2");
    CHECK_EQ(0, drifting("propagate(apart=0)"));
}

TEST(no_level_but_the_third_may_be_none) {
    const auto make = [](const std::string& algorithm) {
        return ictus::clocksync::registry().make(ictus::bind(ictus::clocksync::family(), ictus::parse_spec(algorithm)));
    };
    CHECK_THROWS(make("hierarchical(none,hca3)"), "parameter 'between': 'none' would leave");
    CHECK_THROWS(make("hierarchical(hca3,none)"), "parameter 'within': 'none' would leave");
    CHECK(make("hierarchical(hca3,propagate,none)")->synchronises());
}

TEST(the_full_form_names_every_level) {
    const auto bound = ictus::bind(ictus::clocksync::family(), ictus::parse_spec("hierarchical(hca3-offset)"));
    CHECK_EQ(std::string("hierarchical(between=hca3-offset(offset=skampi(exchanges=20),drift_limit=auto),"
                         "within=propagate(exchanges=20,apart=20ms),within_socket=none)"),
             ictus::to_string(bound.spec()));
}
