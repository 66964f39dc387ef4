// A study of clocks: measured once by all ranks, then written as the members of clocks.json (docs/file-format.md).
#pragma once

#include "measure/workplace.hpp"
#include "record/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ictus {

class Study {
public:
    virtual ~Study() = default;
    /// `accuracy`, ...
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Collective. Throws a PlanError, on all ranks, where the plan asks for what is not to be had.
    virtual void measure(Workplace& workplace) = 0;
    /// What was measured, as members of the object that is open; on rank 0.
    virtual void write(record::JsonWriter& json) const = 0;
    /// What a reader must know before believing it, each as one sentence; on rank 0.
    [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
};

} // namespace ictus
