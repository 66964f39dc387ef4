// A block: cases measured between two calibrations of the clocks, held in memory until the second; and their record.
#pragma once

#include "measure/calibration.hpp"
#include "measure/case_measurement.hpp"
#include "measure/sink.hpp"
#include "record/launch_json.hpp"

#include <vector>

namespace ictus {

// A measured case as launch.json tells of it.

/// All but the per-rank summaries.
[[nodiscard]] record::CaseRecord case_record(LaunchContext& context, const MeasuredCase& measured, bool validated,
                                             int block);

/// Why a reader should distrust this case, if there is a reason.
[[nodiscard]] std::vector<std::string> remarks(const record::CaseRecord& record);

// A block: cases measured between two calibrations of the clocks, held in memory until the second.

class Block {
public:
    Block(int index, const Calibration& opening) : index_(index), opening_(opening) {}

    void add(MeasuredCase measured) {
        stamps_ += measured.stamps.size();
        cases_.push_back(std::move(measured));
    }
    [[nodiscard]] bool empty() const { return cases_.empty(); }
    /// Whether it is time to close it; collective, so that all ranks agree.
    [[nodiscard]] bool is_due(LaunchContext& context, double block_time_s) const;

    /// Collective: the closing calibration, the mapping of all stamps, the reduction. Rank 0 hands the samples to
    /// `sink` and the books to `launch`. Returns the calibration that the next block may open with.
    Calibration close(LaunchContext& context, const LaunchPlan& plan, Sink* sink, record::LaunchRecord& launch);

private:
    int index_;
    Calibration opening_;
    std::vector<MeasuredCase> cases_;
    std::size_t stamps_ = 0;
};

} // namespace ictus
