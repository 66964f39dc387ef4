// A block: the cases that are measured between two calibrations of the clocks. Their stamps stay in memory until the
// second calibration, which maps them.
#pragma once

#include "measure/calibration.hpp"
#include "measure/case_measurement.hpp"
#include "measure/sink.hpp"
#include "record/launch_json.hpp"

#include <vector>

namespace ictus {

/// A measured case, without the summaries of the ranks.
[[nodiscard]] record::CaseRecord case_record(LaunchContext& context, const MeasuredCase& measured, bool validated,
                                             int block);

/// Reasons to distrust this case; mostly none.
[[nodiscard]] std::vector<std::string> remarks(const record::CaseRecord& record);

class Block {
public:
    Block(int index, const Calibration& opening) : index_(index), opening_(opening) {}

    void add(MeasuredCase measured) {
        stamps_ += measured.stamps.size();
        cases_.push_back(std::move(measured));
    }
    [[nodiscard]] bool empty() const { return cases_.empty(); }
    /// Collective: whether it is time to close the block. All ranks agree.
    [[nodiscard]] bool is_due(LaunchContext& context, double block_time_s) const;

    /// Collective: the closing calibration, the mapping of all stamps, the reduction. Rank 0 passes the samples to
    /// `sink` and the records to `launch`. Returns the calibration with which the next block may open.
    Calibration close(LaunchContext& context, const LaunchPlan& plan, Sink* sink, record::LaunchRecord& launch);

private:
    int index_;
    Calibration opening_;
    std::vector<MeasuredCase> cases_;
    std::size_t stamps_ = 0;
};

} // namespace ictus
