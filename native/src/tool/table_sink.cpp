#include "tool/table_sink.hpp"

#include "base/quantity.hpp"
#include "base/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace ictus::tool {
namespace {

/// A latency below this many times the proven error of the clocks is marked, as in every table of Ictus.
constexpr double clock_margin = 10.0;
constexpr const char* mark = "\u2020";
constexpr std::string_view per_call = "per-call"; ///< the scheme that is not shown
constexpr std::string_view warm = "warm";         ///< the cache mode that is not shown

/// Visible characters: in UTF-8 all bytes but those that continue a character.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t width) {
    const std::size_t own = width_of(text);
    return own < width ? std::string(width - own, ' ') + text : text;
}

/// A name and seven numbers in 80 columns.
std::string row(const std::vector<std::string>& cells) {
    constexpr std::size_t widths[] = {20, 8, 9, 8, 7, 7, 7, 7};
    std::string line = cells[0];
    line.resize(std::max(widths[0], line.size()), ' ');
    for (std::size_t i = 1; i < cells.size(); ++i) {
        line += " " + padded(cells[i], widths[i]);
    }
    return line;
}

/// The library's version string may have many lines; the first names it.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The mode, and what the word `auto` in it stood for.
std::string cache_text(const record::CaseRecord& record) {
    return record.cache_bytes ? record.cache + ": " + std::to_string(*record.cache_bytes) + " B" : record.cache;
}

void print_header(std::FILE* out, const record::LaunchRecord& launch) {
    std::fprintf(out, "# %s\n", first_line(launch.mpi.library_version).c_str());
    std::fprintf(out, "# %d ranks, clock %s, %s\n", launch.n_ranks, launch.clock.spec.c_str(),
                 format_duration(launch.elapsed_s).c_str());
    std::fprintf(out, "# clocksync %s\n", launch.clocksync.spec.c_str());
    if (!launch.cases.empty()) {
        std::fprintf(out, "# latency is the %s of the valid samples of this one launch\n",
                     launch.cases.front().headline == "makespan"
                         ? "makespan (last end minus first start, global clock)"
                         : "largest local duration (clocks are not synchronised)");
    }
    if (launch.n_ranks == 1) {
        std::fprintf(out, "# one rank: there was no communication to measure\n");
    }
}

} // namespace

void TableSink::take_samples(const record::CaseRecord& record, std::span<const record::SampleRecord> samples) {
    for (const record::SampleRecord& sample : samples) {
        if (sample.flags == 0) {
            // The record is packed: its numbers are copied, for no reference may point into it.
            const double latency = record.headline == "makespan" ? double{sample.makespan} : double{sample.local_max};
            const double skew = sample.start_skew;
            const double bound = sample.clock_bound;
            latencies_.push_back(latency);
            skews_.push_back(skew);
            if (std::isfinite(bound)) {
                clock_bound_ = std::max(clock_bound_.value_or(0.0), bound);
            }
        }
    }
}

void TableSink::take_case(const record::CaseRecord& record, std::span<const record::CaseRankRecord>) {
    const Summary latency = summarise(std::exchange(latencies_, {}));
    const Summary skew = summarise(std::exchange(skews_, {}));
    const bool near = latency.median < clock_margin * std::exchange(clock_bound_, {}).value_or(0.0);
    const std::string valid = std::to_string(record.valid) + "/" + std::to_string(record.attempted);
    rows_.push_back({row({record.operation, std::to_string(record.size_bytes), valid,
                          format_duration(latency.median) + (near ? mark : " "), format_duration(latency.mean),
                          format_duration(latency.min), format_duration(latency.max), format_duration(skew.median)}),
                     record.procsync, record.scheme, cache_text(record), record.n_late, record.n_long, near});
}

bool TableSink::varies(std::string Row::* what) const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const Row& one) { return one.*what != rows_.front().*what; });
}

bool TableSink::has_invalid() const {
    return std::any_of(rows_.begin(), rows_.end(), [](const Row& one) { return one.late + one.overruns > 0; });
}

void TableSink::print_methods() const {
    if (rows_.empty()) {
        return;
    }
    if (!varies(&Row::procsync)) {
        std::fprintf(out_, "# procsync %s\n", rows_.front().procsync.c_str());
    }
    if (!varies(&Row::cache) && rows_.front().cache != warm) {
        std::fprintf(out_, "# cache %s\n", rows_.front().cache.c_str());
    }
    if (varies(&Row::scheme)) {
        std::fprintf(out_, "# times are per call\n");
    } else if (rows_.front().scheme != per_call) {
        std::fprintf(out_, "# scheme %s: times are per call\n", rows_.front().scheme.c_str());
    }
}

void TableSink::finish(const record::LaunchRecord& launch) {
    print_header(out_, launch);
    print_methods();
    const auto print = [&, invalid = has_invalid(), procsync = varies(&Row::procsync), scheme = varies(&Row::scheme),
                        cache = varies(&Row::cache)](const Row& one, const std::string& late,
                                                     const std::string& overruns) {
        const std::string counts = invalid ? " " + padded(late, 7) + " " + padded(overruns, 7) : "";
        std::fprintf(out_, "%s%s%s%s%s\n", one.text.c_str(), counts.c_str(),
                     procsync ? ("  " + one.procsync).c_str() : "", scheme ? ("  " + one.scheme).c_str() : "",
                     cache ? ("  " + one.cache).c_str() : "");
    };
    print({row({"operation", "bytes", "valid", "median ", "mean", "min", "max", "skew"}), "procsync", "scheme", "cache",
           0, 0, false},
          "late", "long");
    for (const Row& one : rows_) {
        print(one, std::to_string(one.late), std::to_string(one.overruns));
    }
    if (std::any_of(rows_.begin(), rows_.end(), [](const Row& one) { return one.near_clock_bound; })) {
        std::fprintf(out_, "# %s the median is less than ten times the proven error of the clocks\n", mark);
    }
    std::fflush(out_);
    for (const std::string& warning : launch.warnings) {
        std::fprintf(stderr, "warning: %s\n", warning.c_str());
    }
    if (launch.contention.contended.value_or(false)) {
        std::fprintf(stderr, "warning: other processes used the cores of this launch (%.0f %% of the time)\n",
                     100.0 * launch.contention.share);
    }
}

} // namespace ictus::tool
