#include "study/exit_attempts.hpp"

#include "transport/control.hpp"

#include <algorithm>

namespace ictus {
namespace {

/// Last minus first entry of each attempt, on all ranks.
std::vector<double> entry_skews(const Entrance& entrance, std::span<const ExitAttempt> attempts) {
    std::vector<double> extremes; // of each attempt the last entry, and the negated first one
    for (const ExitAttempt& one : attempts) {
        const double entered = entrance.global_clock.to_global(entrance.clock.at(one.entered)).s;
        extremes.insert(extremes.end(), {entered, -entered});
    }
    control::reduce_largest(entrance.transport, extremes);
    std::vector<double> skews;
    for (std::size_t i = 0; i < extremes.size(); i += 2) {
        skews.push_back(extremes[i] + extremes[i + 1]);
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

} // namespace

AttemptCounts::AttemptCounts(std::span<const ExitAttempt> attempts) : attempted(attempts.size()) {
    for (const ExitAttempt& one : attempts) {
        late_entry += one.entry_flags != 0 ? 1 : 0;
        valid += one.is_valid() ? 1 : 0;
    }
    missed = attempted - late_entry - valid;
}

std::optional<std::string> AttemptCounts::remark(const std::string& name) const {
    if (attempted > 0) {
        return std::nullopt;
    }
    return "start " + name + ": no result, because it ended every case before the first attempt";
}

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
        valid += static_cast<std::uint64_t>(std::ranges::count_if(fresh, &ExitAttempt::is_valid));
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
