// Page faults of calls: which of them pay for memory anew each time, and so depend on what becomes of freed memory.
// Nothing is timed, so that others may use the machine meanwhile.
#pragma once

#include "measure/plan.hpp"
#include "study/study.hpp"

#include <vector>

namespace ictus {

class FaultCount final : public Study {
public:
    /// Counts the faults of `plan.fault_calls` calls of each case.
    explicit FaultCount(const LaunchPlan& plan) : plan_(plan) {}

    [[nodiscard]] std::string_view name() const override { return "page-faults"; }
    void measure(LaunchContext& context) override;
    void write(record::JsonWriter& json) const override;

private:
    const LaunchPlan& plan_;
    double block_faults_ = 0.0; ///< of a block of 1 MiB that is taken, written and freed, on the rank with the most
    std::vector<double> case_faults_; ///< of a call, the median, on the rank with the most; by case of the plan
};

} // namespace ictus
