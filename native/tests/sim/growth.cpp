// What Ictus's own bookkeeping costs as ranks grow: its messages, those of the rank that sends most, and its time,
// where each message takes 1 us; and what a rank holds on the heap meanwhile. Each line of output is a row of
// docs/explanation/scale.md. ICTUS_RANKS sets how many ranks the largest world has; of more, the counts are printed
// that the smaller worlds had.
#include "barrier/barrier.hpp"
#include "check.hpp"
#include "clocksync/domains.hpp"
#include "counters.hpp"
#include "offset/offset.hpp"
#include "paying_transport.hpp"
#include "procsync/window_schedule.hpp"
#include "procsync_world.hpp"
#include "study/offset_pass.hpp"
#include "study/ping_pong_check.hpp"
#include "synchronisation.hpp"

#include <bit>
#include <cstdlib>

using namespace ictus;

namespace {

/// What a step costs. The time of a derived cost is a limit: exchanges of different ranks overlap.
struct Cost {
    std::uint64_t messages = 0;
    std::uint64_t most = 0; ///< of one rank
    double time_s = 0.0;
};

struct Step {
    const char* name;
    void (*run)(Transport& transport);
    Cost (*derived)(std::uint64_t ranks, std::uint64_t levels); ///< levels: ceil(log2 ranks)
    /// Of the rank that holds most, at most at once; besides what is the same for any number of ranks.
    std::uint64_t (*heap_bytes)(std::uint64_t ranks) = [](std::uint64_t) { return std::uint64_t{0}; };
};

constexpr double message_s = 1e-6;
constexpr int ranks_per_host = 8;

void start_in_window(Transport& transport) {
    GlobalClock clock(transport);
    (void)procsync::announce({transport, clock, true}, 0.0);
}

void synchronise(Transport& transport, const char* name) {
    const Bound bound = bind(clocksync::family(), parse_spec(name));
    (void)clocksync::registry().make(bound)->synchronise(transport);
}

/// The last rank of each host reads a counter of its own, a second ahead.
clocksync::Domains find_one_wrong_each(Transport& transport) {
    auto own = simulation::counter(transport, transport.rank() % ranks_per_host == ranks_per_host - 1 ? 1.0 : 0.0);
    return clocksync::find_domains(own);
}

constexpr PingPongSettings one_round{.rounds = 1, .exchanges = 10};

void watch_once(Transport& transport) {
    const auto estimator = offset::registry().make(bind(offset::family(), parse_spec("skampi(exchanges=10)")));
    (void)measure_pass(transport, *estimator, sampled_ranks(transport.size(), 1.0));
}

double us(std::uint64_t n) { return static_cast<double>(n) * message_s; }

/// Each rank has the numbers of the others.
std::uint64_t list_of_ranks(std::uint64_t ranks) { return 4 * (ranks - 1); }

const Step steps[] = {
    {"a word from rank 0 to all", [](Transport& transport) { (void)control::broadcast_value(transport, 1.0); },
     [](auto p, auto levels) { return Cost{p - 1, levels, us(levels)}; }},
    {"flags of a batch, combined",
     [](Transport& transport) {
         std::uint16_t flags[] = {0, 1};
         control::combine_flags(transport, flags);
     },
     [](auto p, auto levels) { return Cost{2 * (p - 1), levels, us(2 * levels)}; }},
    {"start of 20 windows", start_in_window,
     [](auto p, auto levels) { return Cost{2 * (p - 1), levels, us(2 * levels)}; }},
    {"barrier of a warm-up",
     [](Transport& transport) {
         barrier::registry().make(bind(barrier::family(), {"dissemination", {}}))->wait(transport);
     },
     [](auto p, auto levels) { return Cost{p * levels, levels, us(levels)}; }},
    // 20 exchanges and a word with each of seven members, one after the other; up and down the tree the number of wrong
    // claims, which is none.
    {"verdicts on clock domains of 8 ranks", [](Transport& transport) { (void)clocksync::find_domains(transport); },
     [](auto p, auto levels) {
         const std::uint64_t hosts = p / ranks_per_host;
         return Cost{hosts * 7 * 41 + 2 * (p - 1), 7 * 20 + levels, us(7 * 41 + 2 * levels)};
     }},
    // Besides, the refuted member hears who else failed; claims travel beside their number: up the tree from half of
    // the ranks, those whose subtree ends a host, and down to all.
    {"verdicts where a rank of each host is wrong", [](Transport& transport) { (void)find_one_wrong_each(transport); },
     [](auto p, auto levels) {
         const std::uint64_t hosts = p / ranks_per_host;
         return Cost{hosts * (7 * 41 + 1) + 3 * (p - 1) + p / 2 - 1, 7 * 20 + 1 + 2 * levels,
                     us(7 * 41 + 1 + 4 * levels)};
     },
     [](auto p) { return 27 * p; }},
    // 20 exchanges and a word an edge; up and down the tree that nothing contradicts the bounds. A parent answers 20
    // times and sends the word and the verdict.
    {"hca3-offset(exchanges=20)",
     [](Transport& transport) { synchronise(transport, "hca3-offset(offset=skampi(exchanges=20))"); },
     [](auto p, auto levels) { return Cost{(p - 1) * 43, levels * 22, us(levels * 43)}; }},
    // Rank 0 sends a word, and answers 10 pings.
    {"a round of 10 ping-pongs with all ranks",
     [](Transport& transport) { (void)check_by_ping_pong(transport, sampled_ranks(transport.size(), 1.0), one_round); },
     [](auto p, auto) { return Cost{(p - 1) * 21, (p - 1) * 11, us((p - 1) * 21)}; }, list_of_ranks},
    {"the same with a share of 0.01 of them",
     [](Transport& transport) {
         (void)check_by_ping_pong(transport, sampled_ranks(transport.size(), 0.01), one_round);
     },
     [](auto p, auto) {
         const std::uint64_t sampled = (p - 1 + 99) / 100;
         return Cost{sampled * 21, sampled * 11, us(sampled * 21)};
     },
     [](auto p) { return 44 * ((p - 1 + 99) / 100); }},
    {"an offset of every rank by skampi(exchanges=10)", watch_once,
     [](auto p, auto) { return Cost{(p - 1) * 21, (p - 1) * 11, us((p - 1) * 21)}; }, list_of_ranks},
};

/// Of these the messages are those of their parts.
const Step composed_steps[] = {
    {"leaders of clock domains of 8 ranks",
     [](Transport& transport) { (void)clocksync::all_leaders(transport, clocksync::find_domains(transport)); }, nullptr,
     [](auto p) { return 15 * p; }},
    {"hierarchical(hca3-offset(exchanges=20),propagate)",
     [](Transport& transport) {
         synchronise(transport, "hierarchical(hca3-offset(offset=skampi(exchanges=20)),propagate)");
     },
     nullptr, [](auto p) { return 16 * (p / ranks_per_host); }},
};

SimulatedSettings settings_of(int size) {
    SimulatedSettings settings;
    settings.size = size;
    settings.reading_s = 0.0;
    settings.link.latency_s = message_s;
    settings.host_link.latency_s = message_s;
    settings.ranks_per_host = ranks_per_host;
    settings.one_clock_a_host = true;
    return settings;
}

Cost measure(const Step& step, int size) {
    SimulatedWorld world(settings_of(size));
    Cost cost;
    world.run([&](Transport& transport) {
        step.run(transport);
        cost.messages += transport.messages_sent();
        cost.most = std::max(cost.most, transport.messages_sent());
        cost.time_s = std::max(cost.time_s, world.true_time(transport.rank()));
    });
    return cost;
}

constexpr std::size_t most_constant_bytes = 2000;

/// Of any rank at once, for itself; what the simulated world holds is not counted.
std::size_t most_heap_bytes(const Step& step, int size) {
    static auto& accounts = *new std::vector<heap_count::Account>(); // outlives whatever they paid for
    accounts.assign(static_cast<std::size_t>(size), {});
    SimulatedWorld world(settings_of(size));
    world.run([&](Transport& base) {
        simulation::PayingTransport transport(base);
        const simulation::Paying own(&accounts[static_cast<std::size_t>(base.rank())]);
        step.run(transport);
    });
    return std::ranges::max(accounts, {}, &heap_count::Account::peak_bytes).peak_bytes;
}

int most_ranks() {
    const char* const text = std::getenv("ICTUS_RANKS");
    return text != nullptr ? std::atoi(text) : 64;
}

void print(const Step& step, int size, const Cost& cost) {
    std::printf("%s | %d | %llu | %llu | %.0f us\n", step.name, size, static_cast<unsigned long long>(cost.messages),
                static_cast<unsigned long long>(cost.most), cost.time_s * 1e6);
}

} // namespace

TEST(steps_cost_what_is_derived_and_never_more_time_than_levels_of_a_tree) {
    for (const int size : {64, 1024, 16384, 131072}) {
        const auto p = static_cast<std::uint64_t>(size);
        for (const Step& step : steps) {
            const Cost derived = step.derived(p, static_cast<std::uint64_t>(std::bit_width(p - 1)));
            if (size > most_ranks()) {
                print(step, size, derived);
                continue;
            }
            const Cost cost = measure(step, size);
            CHECK_EQ(derived.messages, cost.messages);
            CHECK_EQ(derived.most, cost.most);
            CHECK(cost.time_s > 0.0 && cost.time_s <= derived.time_s + 1e-9);
            print(step, size, derived);
        }
    }
}

TEST(a_rank_holds_at_most_what_is_derived) {
    for (const int size : {64, 1024, 16384, 131072}) {
        for (const std::span<const Step> some : {std::span<const Step>(steps), std::span<const Step>(composed_steps)}) {
            for (const Step& step : some) {
                const std::uint64_t derived = step.heap_bytes(static_cast<std::uint64_t>(size));
                if (size <= most_ranks()) {
                    const std::size_t most = most_heap_bytes(step, size);
                    CHECK(most >= derived && most - derived <= most_constant_bytes);
                }
                std::printf("%s | %d | %llu bytes\n", step.name, size, static_cast<unsigned long long>(derived));
            }
        }
    }
}

TEST(a_rank_holds_its_domain_and_what_was_wrong) {
    constexpr int size = 1024;
    constexpr std::size_t hosts = size / ranks_per_host;
    std::vector<clocksync::Domains> found(size);
    const std::size_t before = heap_count::held_bytes;
    {
        SimulatedWorld world(settings_of(size));
        world.run([&](Transport& transport) {
            found[static_cast<std::size_t>(transport.rank())] = find_one_wrong_each(transport);
        });
    }
    // The ranks of the domain; of each wrong claim a record of 24 bytes and a node of a map: its links and two ints.
    const std::size_t wrong = sizeof(clocksync::Split) + 4 * sizeof(void*) + 2 * sizeof(int);
    std::printf("a wrong claim takes %zu bytes of each rank\n", wrong);
    CHECK_EQ(size * (ranks_per_host * sizeof(int) + hosts * wrong), heap_count::held_bytes - before);
}

TEST(whatever_is_wrong_is_said_in_eight_sentences) {
    SimulatedWorld world(settings_of(2));
    world.run([](Transport& transport) {
        for (const int hosts : {8, 131072 / ranks_per_host}) {
            clocksync::Domains domains;
            for (int host = 0; host < hosts; ++host) {
                const int first = host * ranks_per_host;
                domains.splits.push_back({first + 7, first, ClockOffset(1e-3 * (host + 1)), 0.0});
            }
            const std::vector<std::string> said = clocksync::describe_splits(transport, domains);
            CHECK_EQ(std::size_t{8}, said.size());
            CHECK_EQ("rank 55 does not read the clock of rank 48 (7.00 ms apart)", said[6]);
            CHECK_EQ(hosts == 8 ? "rank 63 does not read the clock of rank 56 (8.00 ms apart)"
                                : "ranks 63, 71, 79, 87 and 16373 more do not read the clocks of 16377 more ranks "
                                  "(8.00 ms to 16.4 s apart)",
                     said[7]);
        }
    });
}
