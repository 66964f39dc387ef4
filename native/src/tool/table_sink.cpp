#include "tool/table_sink.hpp"

#include "core/quantity.hpp"
#include "core/summary.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace ictus::tool {
namespace {

std::string padded(const std::string& text, std::size_t width) {
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

/// A name and seven numbers in 80 columns.
std::string row(const std::vector<std::string>& cells) {
    constexpr std::size_t widths[] = {20, 8, 11, 7, 7, 7, 7, 7};
    std::string line = cells[0];
    line.resize(std::max(widths[0], line.size()), ' ');
    for (std::size_t i = 1; i < cells.size(); ++i) {
        line += " " + padded(cells[i], widths[i]);
    }
    return line;
}

/// The library's version string may have many lines; the first names it.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void print_header(const record::LaunchRecord& launch) {
    std::printf("# %s\n", first_line(launch.mpi.library_version).c_str());
    std::printf("# %d ranks, clock %s, %s\n", launch.n_ranks, launch.clock.spec.c_str(),
                format_duration(launch.elapsed_s).c_str());
    std::printf("# clocksync %s\n", launch.clocksync.spec.c_str());
    if (!launch.cases.empty()) {
        std::printf("# latency is the %s of the valid samples of this one launch\n",
                    launch.cases.front().headline == "makespan"
                        ? "makespan (last end minus first start, global clock)"
                        : "largest local duration (clocks are not synchronised)");
    }
    if (launch.n_ranks == 1) {
        std::printf("# one rank: there was no communication to measure\n");
    }
}

} // namespace

void TableSink::take_samples(const record::CaseRecord& record, std::span<const record::SampleRecord> samples) {
    for (const record::SampleRecord& sample : samples) {
        if (sample.flags == 0) {
            latencies_.push_back(record.headline == "makespan" ? sample.makespan : sample.local_max);
            skews_.push_back(sample.start_skew);
        }
    }
}

void TableSink::take_case(const record::CaseRecord& record) {
    const Summary latency = summarise(std::exchange(latencies_, {}));
    const Summary skew = summarise(std::exchange(skews_, {}));
    const std::string valid = std::to_string(record.valid) + "/" + std::to_string(record.attempted);
    rows_.push_back({row({record.operation, std::to_string(record.size_bytes), valid, format_duration(latency.median),
                          format_duration(latency.mean), format_duration(latency.min), format_duration(latency.max),
                          format_duration(skew.median)}),
                     record.procsync});
}

bool TableSink::several_procsyncs() const {
    return std::any_of(rows_.begin(), rows_.end(),
                       [&](const Row& one) { return one.procsync != rows_.front().procsync; });
}

void TableSink::finish(const record::LaunchRecord& launch) {
    print_header(launch);
    const bool several = several_procsyncs();
    if (!several && !rows_.empty()) {
        std::printf("# procsync %s\n", rows_.front().procsync.c_str());
    }
    const std::string titles = row({"operation", "bytes", "valid", "median", "mean", "min", "max", "skew"});
    std::printf("%s%s\n", titles.c_str(), several ? "  procsync" : "");
    for (const Row& one : rows_) {
        std::printf("%s%s\n", one.text.c_str(), several ? ("  " + one.procsync).c_str() : "");
    }
    std::fflush(stdout);
    for (const std::string& warning : launch.warnings) {
        std::fprintf(stderr, "warning: %s\n", warning.c_str());
    }
    if (launch.contention.contended.value_or(false)) {
        std::fprintf(stderr, "warning: other processes used our cores during this launch (%.0f %% of the time)\n",
                     100.0 * launch.contention.share);
    }
}

} // namespace ictus::tool
