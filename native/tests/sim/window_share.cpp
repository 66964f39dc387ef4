// How many samples of a window are valid as ranks grow: one rank that the operating system keeps makes a sample invalid
// for all. ICTUS_RANKS sets how many ranks the largest world has.
#include "barrier/barrier.hpp"
#include "base/summary.hpp"
#include "check.hpp"
#include "procsync_world.hpp"

#include <cstdlib>

using namespace ictus;

namespace {

/// As fixed quanta of work show it on the nodes of a cluster: the timer's interrupt, threads of the kernel, and
/// services that run every ten seconds. They take 0.08 % of a rank's time.
SimulatedSettings noisy_ranks(int size) {
    SimulatedSettings settings;
    settings.size = size;
    settings.seed = 23;
    settings.link = {.latency_s = 1e-6, .jitter_s = 0.3e-6, .tail_share = 0.01};
    settings.noise = {{250.0, 2e-6}, {10.0, 20e-6}, {0.1, 1e-3}};
    return settings;
}

/// What measure_case would record.
struct Share {
    std::uint64_t attempted = 0;
    std::uint64_t valid = 0;
    std::uint64_t rejected = 0;
    double first_window_s = 0.0;
    double window_s = 0.0;
    double call_s = 0.0; ///< median of the warm-ups

    [[nodiscard]] double valid_share() const {
        return static_cast<double>(valid) / static_cast<double>(attempted - rejected);
    }
};

/// An allreduce: up a binomial tree and down again.
void call(Transport& transport) { (void)control::largest(transport, 1.0); }

/// The largest duration over ranks of each warm-up, as measure_case takes them; on rank 0.
std::vector<double> warm_up(Transport& transport) {
    const auto barrier = barrier::registry().make(bind(barrier::family(), {"dissemination", {}}));
    std::vector<double> latencies;
    for (int i = 0; i < 20; ++i) {
        barrier->wait(transport);
        const LocalTime start = transport.now();
        call(transport);
        latencies.push_back(transport.now() - start);
    }
    control::reduce(transport, std::span<double>(latencies),
                    [](double& into, double from) { into = std::max(into, from); });
    return latencies;
}

/// A case of `wanted` valid samples on ranks whose clocks are right; without trials, if `is_tried` is false.
Share measure(int size, std::uint64_t wanted, bool is_tried) {
    SimulatedWorld world(noisy_ranks(size));
    Share share;
    world.run([&](Transport& transport) {
        GlobalClock clock(transport);
        const std::vector<double> latencies = warm_up(transport);
        const auto window = simulation::make_procsync("window", {transport, clock, true});
        window->prepare(control::broadcast_value(transport, largest_undisturbed(latencies)));
        Share own{.first_window_s = window->window_s(), .call_s = summarise(latencies).median};
        while (own.valid < wanted && own.attempted < 3 * wanted) {
            const std::uint64_t missing = std::min(wanted - own.valid, 3 * wanted - own.attempted);
            const std::uint64_t more = is_tried ? window->next_batch(missing) : missing;
            window->begin();
            std::vector<SampleFlags> flags;
            for (std::uint64_t i = 0; i < more; ++i) {
                const SampleFlags late = window->start();
                call(transport);
                flags.push_back(static_cast<SampleFlags>(late | window->finish(transport.now())));
            }
            control::combine_flags(transport, flags);
            window->judge(flags);
            own.attempted += more;
            for (const SampleFlags one : flags) {
                own.valid += one == 0 ? 1 : 0;
                own.rejected += (one & rejected_flag) != 0 ? 1 : 0;
            }
        }
        own.window_s = window->window_s();
        if (transport.rank() == 0) {
            share = own;
        }
    });
    return share;
}

int most_ranks() {
    const char* const text = std::getenv("ICTUS_RANKS");
    return text != nullptr ? std::atoi(text) : 256;
}

} // namespace

TEST(nine_of_ten_samples_are_valid_in_windows_that_were_tried) {
    const Share one = measure(most_ranks(), 200, true);
    std::printf("%d ranks: valid %.3f, rejected %d, window %.0f us after %.0f us, call %.0f us\n", most_ranks(),
                one.valid_share(), static_cast<int>(one.rejected), one.window_s * 1e6, one.first_window_s * 1e6,
                one.call_s * 1e6);
    CHECK_EQ(200U, one.valid);
    CHECK(one.valid_share() >= 0.9);
}

TEST_IN_MANY_WORLDS(the_share_falls_with_the_ranks_in_windows_that_were_not) {
    const Share one = measure(most_ranks(), 200, false);
    std::printf("%d ranks, not tried: valid %.3f, window %.0f us\n", most_ranks(), one.valid_share(),
                one.window_s * 1e6);
    CHECK_EQ(one.first_window_s, one.window_s);
    CHECK((one.valid_share() < 0.9) == (most_ranks() >= 1024));
}
