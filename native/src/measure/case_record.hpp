// A measured case as launch.json tells of it.
#pragma once

#include "measure/case_measurement.hpp"
#include "record/launch_json.hpp"

namespace ictus {

/// All but the per-rank summaries.
[[nodiscard]] record::CaseRecord case_record(Workplace& workplace, const MeasuredCase& measured, bool validated,
                                             int block);

/// Why a reader should distrust this case, if there is a reason.
[[nodiscard]] std::vector<std::string> remarks(const record::CaseRecord& record);

} // namespace ictus
