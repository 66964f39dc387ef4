#include "measure/plan.hpp"

#include "core/error.hpp"

namespace ictus {

Extent extent_of(const CasePlan& plan, int n_ranks) {
    if (plan.operation->volume == Volume::none) {
        return {};
    }
    const std::uint64_t element = plan.datatype->size_bytes;
    if (plan.size_bytes % element != 0) {
        const std::uint64_t below = plan.size_bytes / element * element;
        throw usage_error("size " + std::to_string(plan.size_bytes) + " of operation '" +
                          std::string(plan.operation->name) + "' is no multiple of the " + std::to_string(element) +
                          " bytes of datatype '" + std::string(plan.datatype->name) + "'; the nearest are " +
                          std::to_string(below) + " and " + std::to_string(below + element));
    }
    const std::uint64_t elements = plan.size_bytes / element;
    if (plan.operation->volume == Volume::message) {
        return {elements, plan.size_bytes, plan.size_bytes};
    }
    const auto n_blocks = plan.operation->n_blocks;
    const auto blocks = static_cast<std::uint64_t>(n_blocks == nullptr ? n_ranks : n_blocks(plan.call, n_ranks));
    if (blocks == 0) { // a neighbourhood without neighbours
        return {};
    }
    const std::uint64_t block = (elements + blocks - 1) / blocks;
    return {block, block * element, block * element * blocks};
}

} // namespace ictus
