// The table of the stand-alone tool, for sites where only a compiler and an MPI exist. Medians of one launch: a verdict
// needs several launches (method.md).
#pragma once

#include "measure/sink.hpp"

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace ictus::tool {

class TableSink final : public Sink {
public:
    /// The table goes to `out` when it is complete, warnings to standard error.
    explicit TableSink(std::FILE* out = stdout) : out_(out) {}

    void take_samples(const record::CaseRecord& record, std::span<const record::SampleRecord> samples) override;
    void take_raw(std::span<const record::RawRecord>) override {}
    void take_case(const record::CaseRecord& record, std::span<const record::CaseRankRecord> ranks) override;
    void take_block(std::span<const record::BlockClockRecord>) override {}
    void finish(const record::LaunchRecord& launch) override;

private:
    struct Row {
        std::string text;
        std::string procsync;
        std::string scheme;
        std::string cache;
        std::uint64_t late;
        std::uint64_t overruns;
        bool near_clock_bound; ///< whether its median is marked
    };
    /// A property that all rows share is written once above them; any other has its column.
    [[nodiscard]] bool varies(std::string Row::* what) const;
    /// The reasons for invalid samples have columns only where there are some.
    [[nodiscard]] bool has_invalid() const;
    void print_methods() const;

    std::FILE* out_;
    std::vector<double> latencies_; ///< valid samples of the current case
    std::vector<double> skews_;
    std::optional<double> clock_bound_; ///< largest of these samples
    std::vector<Row> rows_;
};

} // namespace ictus::tool
