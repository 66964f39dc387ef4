#include "measure/plan.hpp"

#include "core/error.hpp"
#include "layout/layout.hpp"

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
                          std::string(plan.operation->name) + "' is no multiple of the " + std::to_string(unit) +
                          " bytes of datatype '" + std::string(plan.datatype->name) + "'" +
                          (unit_elements == 1 ? "" : " in units of layout '" + to_string(plan.layout.spec()) + "'") +
                          "; the nearest are " + std::to_string(below) + " and " + std::to_string(below + unit));
    }
    const std::uint64_t units = plan.size_bytes / unit;
    if (plan.operation->volume == Volume::message) {
        const auto ranks = static_cast<std::uint64_t>(n_ranks);
        const std::uint64_t whole = (units + ranks - 1) / ranks * ranks * unit;
        return {units * unit_elements, plan.size_bytes, plan.operation->is_padded ? whole : plan.size_bytes};
    }
    const auto n_blocks = plan.operation->n_blocks;
    const auto blocks = static_cast<std::uint64_t>(n_blocks == nullptr ? n_ranks : n_blocks(plan.call, n_ranks));
    if (blocks == 0) { // a neighbourhood without neighbours
        return {};
    }
    const std::uint64_t block = (units + blocks - 1) / blocks;
    return {block * unit_elements, block * unit, block * unit * blocks};
}

} // namespace ictus
