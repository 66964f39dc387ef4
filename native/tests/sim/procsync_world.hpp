// Runs a case under a process synchronisation in a simulated world, as measure_case does on MPI, and keeps what truly
// happened.
#pragma once

#include "clocksync/clocksync.hpp"
#include "procsync/procsync.hpp"
#include "transport/control.hpp"
#include "transport/simulated_world.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace simulation {

inline ictus::SimulatedSettings skewed_ranks(int size) {
    ictus::SimulatedSettings settings;
    settings.size = size;
    settings.seed = 11;
    settings.offset_s = 1.0;
    settings.drift = 20e-6;
    settings.link.jitter_s = 0.2e-6;
    return settings;
}

/// Perfect clocks, links of 1 us exactly, readings that take no time: everything can be derived by hand.
inline ictus::SimulatedSettings exact_ranks(int size) {
    ictus::SimulatedSettings settings;
    settings.size = size;
    settings.reading_s = 0.0;
    return settings;
}

inline std::unique_ptr<ictus::ProcSync> make_procsync(const std::string& text, const ictus::ProcSyncContext& place) {
    return ictus::procsync::registry().make(ictus::bind(ictus::procsync::family(), ictus::parse_spec(text)), place);
}

/// One case: samples that are wanted, and how long a call takes on a rank.
struct Case {
    std::string procsync;
    std::uint64_t wanted = 50;
    std::function<double(int rank, std::uint64_t repetition)> call_s = [](int, std::uint64_t) { return 5e-6; };
    double warmed_up_s = 5e-6; ///< what prepare() is told
    bool synchronise = true;   ///< learn a model of the clocks first; perfect clocks need none
    bool prepare = true;
};

/// One attempted repetition: true times of all ranks, combined flags.
struct Attempt {
    std::vector<double> start;
    std::vector<double> end;
    ictus::SampleFlags flags = 0;

    [[nodiscard]] double skew() const {
        const auto [first, last] = std::minmax_element(start.begin(), start.end());
        return *last - *first;
    }
};

struct Outcome {
    std::vector<Attempt> attempts;
    std::vector<std::size_t> batches;  ///< attempts of each
    std::vector<double> windows_s;     ///< in force after each batch
    std::vector<std::uint64_t> counts; ///< of each rank, which should be the same
    double begun = 0.0;                ///< true time of the first begin(), the last rank's

    [[nodiscard]] std::uint64_t count(ictus::SampleFlags flag) const {
        return static_cast<std::uint64_t>(std::count_if(attempts.begin(), attempts.end(), [flag](const Attempt& one) {
            return flag == 0 ? one.flags == 0 : (one.flags & flag) != 0;
        }));
    }
};

inline Outcome run_case(const ictus::SimulatedSettings& settings, const Case& one) {
    using namespace ictus;
    SimulatedWorld world(settings);
    const auto size = static_cast<std::size_t>(settings.size);
    Outcome outcome;
    outcome.counts.resize(size);
    world.run([&](Transport& transport) {
        const auto rank = static_cast<std::size_t>(transport.rank());
        GlobalClock clock(transport);
        if (one.synchronise) {
            const Bound bound = bind(clocksync::family(), parse_spec("hca3(fitpoints=100,exchanges=20)"));
            clock.set_model(clocksync::registry().make(bound)->synchronise(transport).model);
        }
        const auto procsync = make_procsync(one.procsync, {transport, clock, true});
        if (one.prepare) {
            procsync->prepare(one.warmed_up_s);
        }
        outcome.begun = std::max(outcome.begun, world.true_time(transport.rank()));
        std::vector<SampleFlags> all;
        bool over = false;
        const auto next = [&] {
            const auto valid = static_cast<std::uint64_t>(std::count(all.begin(), all.end(), 0));
            const bool enough = valid >= one.wanted || all.size() >= 3 * one.wanted;
            return procsync->next_batch(enough ? 0 : one.wanted - valid);
        };
        for (std::uint64_t more = next(); more > 0 && !over; more = next()) {
            std::vector<SampleFlags> flags;
            procsync->begin();
            while (flags.size() < more && !over) {
                const SampleFlags late = procsync->start();
                over = (late & over_flag) != 0;
                if (over) {
                    break;
                }
                const std::size_t at = all.size() + flags.size();
                if (outcome.attempts.size() <= at) {
                    outcome.attempts.push_back({std::vector<double>(size), std::vector<double>(size), 0});
                }
                outcome.attempts[at].start[rank] = world.true_time(transport.rank());
                transport.wait_until(transport.now() + one.call_s(transport.rank(), at));
                outcome.attempts[at].end[rank] = world.true_time(transport.rank());
                flags.push_back(static_cast<SampleFlags>(late | procsync->finish(transport.now())));
            }
            if (flags.empty()) {
                break;
            }
            control::combine_flags(transport, flags);
            procsync->judge(flags);
            for (std::size_t i = 0; i < flags.size(); ++i) {
                outcome.attempts[all.size() + i].flags = flags[i];
            }
            all.insert(all.end(), flags.begin(), flags.end());
            if (rank == 0) {
                outcome.batches.push_back(flags.size());
                outcome.windows_s.push_back(procsync->window_s());
            }
        }
        outcome.counts[rank] = all.size();
    });
    return outcome;
}

} // namespace simulation
