// Barriers and synchronised starts on real ranks.
#include "barrier/barrier.hpp"
#include "check.hpp"
#include "core/summary.hpp"
#include "procsync/procsync.hpp"
#include "skewed_world.hpp"

#include <algorithm>
#include <limits>
#include <vector>

using namespace ictus;

namespace {

constexpr const char* drifting = "skewed(base=monotonic,offset=1s,drift=20ppm,seed=9)";

std::unique_ptr<ProcSync> make(const std::string& text, const SyncPlace& place) {
    return procsync::registry().make(bind(procsync::family(), parse_spec(text)), place);
}

/// Whether no rank leaves before `late` has entered, which it does `delay_s` after the others; the same on all
/// ranks.
bool holds_back(SkewedWorld& world, Barrier& barrier, int late, double delay_s) {
    Transport& transport = world.transport();
    barrier::registry().make(bind(barrier::family(), {"linear", {}}))->wait(transport); // nobody is late from before
    std::int64_t entered = std::numeric_limits<std::int64_t>::min();
    if (transport.rank() == late) {
        transport.wait_until(transport.now() + delay_s);
        entered = world.base_raw();
    }
    barrier.wait(transport);
    const std::int64_t left = world.base_raw();
    const double told = control::largest(transport, static_cast<double>(entered));
    return control::largest(transport, static_cast<double>(left) >= told ? 0.0 : 1.0) == 0.0;
}

/// Dissemination without its last round: whoever is half the ranks away is not heard of.
class ForgetfulBarrier final : public Barrier {
public:
    void wait(Transport& transport) override {
        const int size = transport.size();
        for (int distance = 1; 2 * distance < size; distance *= 2) {
            const std::byte token{1};
            std::byte heard{};
            transport.exchange((transport.rank() + distance) % size, {&token, 1},
                               (transport.rank() - distance + size) % size, {&heard, 1});
        }
    }
};

/// What a case of calls that take 5 us came to.
struct Outcome {
    std::vector<double> skews; ///< true ones of the valid starts, seconds, on rank 0
    std::uint64_t attempted = 0;
};

/// As measure_case does it, with a wait for a call. `wanted` valid samples.
Outcome run_case(SkewedWorld& world, ProcSync& procsync, std::uint64_t wanted) {
    Transport& transport = world.transport();
    Outcome outcome;
    std::uint64_t valid = 0;
    bool over = false;
    const auto next = [&] {
        return procsync.next_batch(valid >= wanted || outcome.attempted >= 3 * wanted ? 0 : wanted - valid);
    };
    procsync.prepare(10e-6);
    for (std::uint64_t more = next(); more > 0 && !over; more = next()) {
        std::vector<SampleFlags> flags;
        std::vector<std::int64_t> starts;
        procsync.begin();
        while (flags.size() < more && !over) {
            const SampleFlags late = procsync.start();
            over = (late & over_flag) != 0;
            if (!over) {
                starts.push_back(world.base_raw());
                transport.wait_until(transport.now() + 5e-6);
                flags.push_back(static_cast<SampleFlags>(late | procsync.finish(transport.now())));
            }
        }
        control::combine_flags(transport, flags);
        procsync.judge(flags);
        outcome.attempted += flags.size();
        for (std::size_t i = 0; i < flags.size(); ++i) {
            const double latest = control::largest(transport, static_cast<double>(starts[i]));
            const double earliest = -control::largest(transport, -static_cast<double>(starts[i]));
            if (flags[i] == 0) {
                ++valid;
                outcome.skews.push_back(world.seconds(static_cast<std::int64_t>(latest - earliest)));
            }
        }
    }
    return outcome;
}

void synchronise(SkewedWorld& world, GlobalClock& clock) {
    clock.set_model(world.synchronise("hca3(fitpoints=50,span=20ms,exchanges=20)").model);
}

/// What a tenth of the skews stay below: other load only adds to a skew, and clocks that are wrong add to each of them.
/// Infinite where no start was valid.
double lowest_tenth(std::vector<double> skews) {
    std::sort(skews.begin(), skews.end());
    return skews.empty() ? std::numeric_limits<double>::infinity() : quantile(skews, 0.1);
}

/// How wrong the clocks truly are, that of any rank; what is asked of a start is that it is no further off.
double clock_error(SkewedWorld& world, const GlobalClock& clock) { return world.largest_error(clock.model(), 0.0); }

/// How far apart ranks may start that start together: within the error of clocks that rest on round trips.
double permitted(SkewedWorld& world) { return world.round_trip() + 0.3e-6; }

} // namespace

TEST(a_late_rank_holds_back_all_others_in_every_barrier) {
    SkewedWorld world("skewed(base=monotonic,offset=0,drift=0)");
    for (const MemberInfo* member : barrier::family().members) {
        const auto barrier = barrier::registry().make(bind(barrier::family(), {std::string(member->name), {}}));
        for (int late = 0; late < world.transport().size(); ++late) {
            CHECK(holds_back(world, *barrier, late, 0.004));
        }
    }
}

TEST(a_barrier_that_drops_a_round_is_found_out) {
    SkewedWorld world("skewed(base=monotonic,offset=0,drift=0)");
    ForgetfulBarrier forgetful;
    const int size = world.transport().size();
    int caught = 0;
    for (int late = 0; late < size; ++late) { // later than the others even where they share a core with it
        caught += holds_back(world, forgetful, late, 0.05) ? 0 : 1;
    }
    CHECK_EQ(size > 1, caught > 0);
}

TEST(skewed_ranks_start_at_one_true_instant) {
    SkewedWorld world(drifting);
    GlobalClock clock(world.transport());
    synchronise(world, clock);
    const bool shared = world.oversubscribed();
    const std::string window = shared ? "window(size=20ms,batch=10)" : "window(size=50us,batch=10)";
    for (const std::string& name :
         {window, "arrival(size=0,start=" + window + ")", std::string("round-time(slice=10ms)"),
          std::string("round-time(slice=10ms,slack=20us,gather=off)"), std::string("window-adaptive(rule=skampi)"),
          std::string("window-adaptive(rule=nbcbench,size=20us)")}) {
        bool together = false;
        bool any_met = false;
        for (int attempt = 0; attempt < (shared ? 1 : 10) && !together; ++attempt) {
            if (attempt > 0) { // other load can spoil a case, and a model of the clocks
                synchronise(world, clock);
            }
            const auto procsync = make(name, {world.transport(), clock, true});
            const Outcome outcome = run_case(world, *procsync, shared ? 4 : 60);
            const auto attempted = static_cast<double>(outcome.attempted);
            CHECK(attempted > 0.0);
            CHECK_EQ(attempted, control::largest(world.transport(), attempted)); // all stop before the same repetition
            CHECK_EQ(attempted, -control::largest(world.transport(), -attempted));
            any_met = any_met || outcome.skews.size() >= 10;
            together = lowest_tenth(outcome.skews) <= permitted(world) + 2.0 * clock_error(world, clock);
        }
        // Ranks that share a core cannot start together; that they come to an end is the claim there. The same goes for
        // a machine so busy that ranks do not meet ten deadlines in ten cases: the simulated worlds ask for them.
        CHECK_EQ(name, together || shared || !any_met ? name : std::string("not together"));
    }
}

TEST(clocks_that_nobody_synchronised_do_not_start_ranks_together) {
    SkewedWorld world(drifting); // up to a second apart
    if (world.oversubscribed() || world.transport().size() == 1) {
        return;
    }
    GlobalClock clock(world.transport());
    const auto window = make("window(size=50us,batch=1)", {world.transport(), clock, true});
    CHECK(!(lowest_tenth(run_case(world, *window, 2).skews) <= permitted(world)));
}

TEST(the_last_rank_arrives_when_the_pattern_says) {
    SkewedWorld world(drifting);
    if (world.oversubscribed() || world.transport().size() == 1) {
        return;
    }
    const double error = permitted(world);
    // The share of starts whose first and last rank are as far apart as they should be; other load spoils some.
    const auto share_at = [&](const char* arrival, double apart_s) {
        GlobalClock clock(world.transport());
        synchronise(world, clock);
        const Outcome outcome = run_case(world, *make(arrival, {world.transport(), clock, true}), 20);
        const double off = std::min(error + 2.0 * clock_error(world, clock), 20e-6); // a tenth of the pattern at most
        const auto good = std::count_if(outcome.skews.begin(), outcome.skews.end(),
                                        [&](double skew) { return std::abs(skew - apart_s) <= off; });
        return static_cast<double>(good) / 20.0;
    };
    bool as_said = false;
    for (int attempt = 0; attempt < 10 && !as_said; ++attempt) { // other load can spoil one
        as_said = share_at("arrival(pattern=ascending,size=200us,start=window(size=400us))", 200e-6) >= 0.25;
    }
    CHECK(as_said);
    CHECK(share_at("arrival(pattern=ascending,size=0,start=window(size=400us))", 200e-6) < 0.25);
}

TEST(control_traffic_reaches_everyone) {
    SkewedWorld world("skewed(base=monotonic,offset=0,drift=0)");
    Transport& transport = world.transport();
    CHECK_EQ(42, control::broadcast_value(transport, transport.rank() == 0 ? 42 : -1));
    CHECK_EQ(static_cast<double>(transport.size() - 1), control::largest(transport, transport.rank()));
}
