// A block: cases measured between two calibrations of the clocks, held in memory until the second.
#pragma once

#include "measure/calibration.hpp"
#include "measure/case_measurement.hpp"
#include "measure/sink.hpp"

#include <vector>

namespace ictus {

class Block {
public:
    Block(int index, const Calibration& opening) : index_(index), opening_(opening) {}

    void add(MeasuredCase measured) {
        stamps_ += measured.stamps.size();
        cases_.push_back(std::move(measured));
    }
    [[nodiscard]] bool empty() const { return cases_.empty(); }
    /// Whether it is time to close it; collective, so that all ranks agree.
    [[nodiscard]] bool is_due(Workplace& workplace, double block_time_s) const;

    /// Collective: the closing calibration, the mapping of all stamps, the reduction. Rank 0 hands the samples to
    /// `sink` and the books to `launch`. Returns the calibration that the next block may open with.
    Calibration close(Workplace& workplace, const LaunchPlan& plan, Sink* sink, record::LaunchRecord& launch);

private:
    int index_;
    Calibration opening_;
    std::vector<MeasuredCase> cases_;
    std::size_t stamps_ = 0;
};

} // namespace ictus
