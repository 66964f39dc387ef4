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
    const auto ranks = static_cast<std::uint64_t>(n_ranks);
    const std::uint64_t block = (elements + ranks - 1) / ranks;
    return {block, block * element, block * element * ranks};
}

} // namespace ictus
