// A rank whose clock was learnt so wrongly that a start lies hours ahead: an error that says so, where it waited.
#include "base/error.hpp"
#include "check.hpp"
#include "procsync_world.hpp"

using namespace ictus;
using simulation::exact_ranks;
using simulation::make_procsync;

namespace {

/// Some starts, by clocks that are right but for the last rank's. The errors, each with its rank: that rank goes on as
/// if it had been late, so that no other waits for it.
std::vector<std::string> start_with(const std::string& procsync, int size, double stray_s, double call_s = 5e-6) {
    SimulatedWorld world(exact_ranks(size));
    std::vector<std::string> errors;
    world.run([&](Transport& transport) {
        GlobalClock clock(transport);
        if (transport.rank() == size - 1) {
            clock.set_model(model_through(transport.now(), ClockOffset(stray_s), 0.0));
        }
        const auto start = make_procsync(procsync, {transport, clock, true});
        const auto caught = [&](auto step) {
            try {
                step();
            } catch (const Error& error) {
                errors.push_back(std::to_string(transport.rank()) + ": " + error.what());
                return true;
            }
            return false;
        };
        start->prepare(5e-6);
        for (int batch = 0; batch < 3; ++batch) {
            const std::uint64_t n = start->next_batch(4);
            if (n == 0 || caught([&] { start->begin(); })) { // on all ranks alike
                return;
            }
            std::vector<SampleFlags> flags;
            for (std::uint64_t i = 0; i < n; ++i) {
                SampleFlags late = late_flag;
                (void)caught([&] { late = start->start(); });
                if ((late & over_flag) != 0) { // on all ranks alike
                    return;
                }
                transport.wait_until(transport.now() + call_s);
                flags.push_back(static_cast<SampleFlags>(late | start->finish(transport.now())));
            }
            control::combine_flags(transport, flags);
            start->judge(flags);
        }
    });
    return errors;
}

/// Whether there are errors, all of the rank and with the text.
bool are_all(const std::vector<std::string>& errors, int rank, std::string_view text) {
    return !errors.empty() && std::all_of(errors.begin(), errors.end(), [&](const std::string& one) {
        return one.rfind(std::to_string(rank) + ": ", 0) == 0 && one.find(text) != std::string::npos;
    });
}

constexpr const char* starts[] = {"window(size=20us)", "window(size=20us,lead=1ms)", "window-adaptive(size=20us)",
                                  "window-adaptive(rule=nbcbench,size=20us)", "round-time(slice=1ms)"};

} // namespace

TEST(a_start_hours_ahead_is_an_error_at_every_size) {
    for (const char* const procsync : starts) {
        for (const int size : {2, 3, 5, 8}) {
            CHECK(are_all(start_with(procsync, size, 7200.0), size - 1, "the synchronised clock is wrong"));
        }
    }
}

TEST(a_start_that_is_announced_far_ahead_is_waited_for) {
    CHECK(start_with("window(size=20us,lead=10s)", 2, 0.0).empty());
    CHECK(start_with("window(size=30s)", 2, 0.0).empty());
    for (const char* const procsync : starts) {
        CHECK(start_with(procsync, 3, 0.0).empty());
        CHECK(start_with(procsync, 3, 0.5).empty()); // within the second that any clock may be off: a skew, and no hang
    }
}

TEST(a_window_that_a_rule_finds_is_never_longer_than_a_minute) {
    const std::vector<std::string> errors = start_with("window-adaptive(rule=nbcbench)", 2, 0.0, 61.0);
    CHECK_EQ(std::size_t{2}, errors.size()); // both ranks
    CHECK(errors.front().find("asks for a window of 61") != std::string::npos);
    CHECK(start_with("window-adaptive(rule=nbcbench)", 2, 0.0, 20.0).empty());
    CHECK(start_with("window-adaptive(rule=nbcbench,size=61s)", 2, 0.0, 20.0).empty()); // as the user wants it
}
