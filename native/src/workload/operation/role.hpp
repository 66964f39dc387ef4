// What a collective computes, for what computes the same in another way: mock-ups, and operations of plug-ins.
#pragma once

#include "workload/operation/collective.hpp"

namespace ictus::operation {

/// The traits of the blocking collective, a rank's blocks, and the expected result.
struct DataRole {
    const OperationMember& collective;
    Blocks (*blocks)(const CallSite&) = nullptr;
    /// The source of block `block` of the receive buffer on a rank; `first` is the first unit of its own block.
    BlockSource (*block_source)(const CallSite&, int block, std::uint64_t first) = nullptr;
};

/// Of a collective with data; null: it has no role.
[[nodiscard]] const DataRole* find_role(std::string_view collective);
/// The traits of a collective with a role, or of the barrier; null: of neither.
[[nodiscard]] const OperationMember* stood_for(std::string_view collective);

} // namespace ictus::operation
