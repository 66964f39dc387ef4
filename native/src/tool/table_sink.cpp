#include "tool/table_sink.hpp"

#include "core/quantity.hpp"
#include "core/sample_flag.hpp"
#include "core/summary.hpp"

#include <cstdio>

namespace ictus::tool {
namespace {

std::string padded(const std::string& text, std::size_t width) {
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string row(const std::vector<std::string>& cells) {
    constexpr std::size_t widths[] = {20, 10, 13, 11, 11, 11, 11, 11, 10};
    std::string line = cells[0];
    line.resize(std::max(widths[0], line.size()), ' ');
    for (std::size_t i = 1; i < cells.size(); ++i) {
        line += " " + padded(cells[i], widths[i]);
    }
    return line;
}

/// The library's version string may have many lines; the first names it.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

} // namespace

void TableSink::take_case(const record::CaseRecord& record, std::span<const record::SampleRecord> samples) {
    std::vector<double> latencies;
    std::vector<double> skews;
    for (const record::SampleRecord& sample : samples) {
        if (sample.flags != 0) {
            continue;
        }
        latencies.push_back(record.headline == "makespan" ? sample.makespan : sample.local_max);
        skews.push_back(sample.start_skew);
    }
    const Summary summary = summarise(std::move(latencies));
    rows_.push_back(row({record.operation, std::to_string(record.size_bytes),
                         std::to_string(record.valid) + "/" + std::to_string(record.attempted),
                         format_duration(summary.median), format_duration(summary.mean), format_duration(summary.min),
                         format_duration(summary.max), format_duration(summarise(std::move(skews)).median),
                         record.procsync.substr(0, record.procsync.find('('))}));
}

void TableSink::finish(const record::LaunchRecord& launch) {
    std::printf("# %s\n", first_line(launch.mpi.library_version).c_str());
    std::printf("# %d ranks, clock %s, clocksync %s, %s\n", launch.n_ranks, launch.clock.spec.c_str(),
                launch.clocksync.spec.c_str(), format_duration(launch.elapsed_s).c_str());
    if (!launch.cases.empty()) {
        std::printf("# latency is the %s of the valid samples of this one launch\n",
                    launch.cases.front().headline == "makespan"
                        ? "makespan (last end minus first start, global clock)"
                        : "largest local duration (clocks are not synchronised)");
    }
    std::printf("%s\n",
                row({"operation", "bytes", "valid", "median", "mean", "min", "max", "start skew", "procsync"}).c_str());
    for (const std::string& line : rows_) {
        std::printf("%s\n", line.c_str());
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
