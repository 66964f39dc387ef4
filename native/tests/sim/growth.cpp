// What Ictus's own bookkeeping costs as ranks grow: its messages, those of the rank that sends most, and its time,
// where each message takes 1 us. Each line of output is a row of docs/explanation/scale.md. ICTUS_RANKS sets how many
// ranks the largest world has; of more, the counts are printed that the smaller worlds had.
#include "barrier/barrier.hpp"
#include "check.hpp"
#include "clocksync/domains.hpp"
#include "procsync/window_schedule.hpp"
#include "procsync_world.hpp"
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

double us(std::uint64_t n) { return static_cast<double>(n) * message_s; }

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
    // 20 exchanges and a word an edge; up and down the tree that nothing contradicts the bounds. A parent answers 20
    // times and sends the word and the verdict.
    {"hca3-offset(exchanges=20)",
     [](Transport& transport) { synchronise(transport, "hca3-offset(offset=skampi(exchanges=20))"); },
     [](auto p, auto levels) { return Cost{(p - 1) * 43, levels * 22, us(levels * 43)}; }},
};

Cost measure(const Step& step, int size) {
    SimulatedSettings settings;
    settings.size = size;
    settings.reading_s = 0.0;
    settings.link.latency_s = message_s;
    settings.host_link.latency_s = message_s;
    settings.ranks_per_host = ranks_per_host;
    settings.one_clock_a_host = true;
    SimulatedWorld world(settings);
    Cost cost;
    world.run([&](Transport& transport) {
        step.run(transport);
        cost.messages += transport.messages_sent();
        cost.most = std::max(cost.most, transport.messages_sent());
        cost.time_s = std::max(cost.time_s, world.true_time(transport.rank()));
    });
    return cost;
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
