#include "study/exit_attempts.hpp"

#include "transport/control.hpp"

#include <algorithm>

namespace ictus {
namespace {

/// Last minus first entry of each attempt, on all ranks.
std::vector<double> entry_skews(const Entrance& entrance, std::span<const ExitAttempt> attempts) {
    struct EntryExtremes {
        double last;
        double first_negated;
    };
    std::vector<EntryExtremes> extremes;
    for (const ExitAttempt& one : attempts) {
        const double entered = entrance.global_clock.to_global(entrance.clock.at(one.entered)).s;
        extremes.push_back({entered, -entered});
    }
    control::reduce(entrance.transport, std::span<EntryExtremes>(extremes),
                    [](EntryExtremes& into, const EntryExtremes& from) {
                        into = {std::max(into.last, from.last), std::max(into.first_negated, from.first_negated)};
                    });
    std::vector<double> skews;
    for (const EntryExtremes& one : extremes) {
        skews.push_back(one.last + one.first_negated);
    }
    control::broadcast(entrance.transport, std::as_writable_bytes(std::span(skews)));
    return skews;
}

/// One late rank makes the attempt invalid for all.
void combine_attempts(const Entrance& entrance, ProcSync& start, std::span<ExitAttempt> attempts) {
    Transport& transport = entrance.transport;
    const std::vector<double> skews = entry_skews(entrance, attempts);
    std::vector<SampleFlags> entry;
    std::vector<SampleFlags> own;
    for (const ExitAttempt& one : attempts) {
        entry.push_back(one.entry_flags);
        own.push_back(one.start_flags);
    }
    control::combine_flags(transport, entry);
    control::combine_flags(transport, own);
    start.judge(own);
    for (std::size_t i = 0; i < attempts.size(); ++i) {
        attempts[i].entry_flags = skews[i] > entrance.tolerance_s ? late_flag : entry[i];
        attempts[i].start_flags = own[i];
    }
}

bool is_valid(const ExitAttempt& one) { return one.entry_flags == 0 && one.start_flags == 0; }

} // namespace

std::vector<ExitAttempt> attempt_exits(const Entrance& entrance, ProcSync& start, std::uint64_t count) {
    KnownClock& clock = entrance.clock;
    std::vector<ExitAttempt> attempts;
    attempts.reserve(count);
    while (attempts.size() < count) {
        ExitAttempt one;
        entrance.entry.begin();
        start.begin();
        one.entry_flags = entrance.entry.start();
        one.entered = clock.counter();
        one.start_flags = start.start();
        one.left = clock.counter();
        if (((one.entry_flags | one.start_flags) & over_flag) != 0) {
            break;
        }
        const LocalTime end = clock.at(one.left);
        one.start_flags = static_cast<SampleFlags>(one.start_flags | start.finish(end));
        attempts.push_back(one);
    }
    combine_attempts(entrance, start, attempts);
    return attempts;
}

std::vector<ExitAttempt> attempt_exits(const Entrance& entrance, ProcSync& start, const Repetition& repetition) {
    std::vector<ExitAttempt> all;
    std::uint64_t valid = 0;
    bool is_prepared = false;
    while (const std::uint64_t missing = repetition.next_batch({.attempted = all.size(), .valid = valid})) {
        const std::uint64_t more = std::min(missing, start.next_batch(missing));
        const std::vector<ExitAttempt> fresh = attempt_exits(entrance, start, more);
        all.insert(all.end(), fresh.begin(), fresh.end());
        valid += static_cast<std::uint64_t>(std::count_if(fresh.begin(), fresh.end(), is_valid));
        if (is_prepared && fresh.empty()) { // else it would go on for ever
            break;
        }
        is_prepared = fresh.empty() || fresh.size() < more;
        if (is_prepared) { // the start has ended its case, as round-time does: the rest is one more case
            start.prepare(entrance.latency_s);
        }
    }
    return all;
}

} // namespace ictus
