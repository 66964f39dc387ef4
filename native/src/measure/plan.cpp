#include "measure/plan.hpp"

#include "base/error.hpp"
#include "workload/layout.hpp"
#include "workload/operation/nested.hpp"

namespace ictus {

Extent extent_of(const CasePlan& plan, int n_ranks) {
    if (plan.operation->volume == Volume::none) {
        return {};
    }
    const std::uint64_t element = plan.datatype->size_bytes;
    const std::uint64_t unit_elements = layout::elements_of(plan.layout);
    const std::uint64_t unit = unit_elements * element;
    if (plan.size_bytes % unit != 0) {
        const std::uint64_t below = plan.size_bytes / unit * unit;
        throw usage_error("size " + std::to_string(plan.size_bytes) + " of operation '" +
                          std::string(plan.operation->name) + "' is not a multiple of the " + std::to_string(unit) +
                          " bytes of datatype '" + std::string(plan.datatype->name) + "'" +
                          (unit_elements == 1 ? "" : " in units of layout '" + to_string(plan.layout.spec()) + "'") +
                          "; the nearest are " + std::to_string(below) + " and " + std::to_string(below + unit));
    }
    const std::uint64_t units = plan.size_bytes / unit;
    const std::uint64_t each = operation::units_per_block(plan.call, units, n_ranks);
    return {each * unit_elements, each * unit, operation::largest_buffer_units(plan.call, units, n_ranks) * unit};
}

} // namespace ictus
