#include "base/error.hpp"
#include "base/spec.hpp"
#include "machine/affinity.hpp"
#include "study/overlap.hpp"

#include <algorithm>
#include <string>

namespace ictus {

std::vector<OverlapRun> runs_of(const OverlapPlan& plan, std::uint64_t size_bytes) {
    std::vector<OverlapRun> runs(1); // the blocking one
    for (const Computation::Kind kind : plan.computations) {
        for (const std::uint64_t interval : plan.intervals_bytes) {
            const auto tests = ProgressCalls::every(interval > 0 ? std::optional(interval) : std::nullopt, size_bytes);
            const auto same = std::ranges::find_if(
                runs, [&](const OverlapRun& run) { return run.kind == kind && run.tests.n == tests.n; });
            OverlapRun& run = same == runs.end() ? runs.emplace_back() : *same;
            run.kind = kind;
            run.tests = tests;
            if (interval > 0 && std::ranges::find(run.intervals_bytes, interval) == run.intervals_bytes.end()) {
                run.intervals_bytes.push_back(interval);
            }
        }
    }
    return runs;
}

std::optional<int> progress_cpu(const mpi::Topology& topology, const std::string& place) {
    if (place == "any") {
        return std::nullopt;
    }
    if (place == "same") {
        return record::current_cpu().value_or(0);
    }
    const std::vector<std::string> cpus = split_list(place);
    const auto on_host = static_cast<std::size_t>(topology.host.rank());
    if (on_host >= cpus.size()) {
        throw usage_error("option 'progress-place': '" + place + "' has fewer CPUs than the " +
                          std::to_string(topology.n_host_ranks) + " ranks of a host; name one for each, or any, or " +
                          "same");
    }
    return std::stoi(cpus[on_host]);
}

} // namespace ictus
