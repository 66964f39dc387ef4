#include "operation/operation.hpp"

namespace ictus {

std::string_view to_string(Volume volume) {
    switch (volume) {
    case Volume::none: return "none";
    case Volume::message: return "message";
    case Volume::blocks: return "blocks";
    }
    return "unknown";
}

namespace operation {

extern const OperationMember allgather, allreduce, alltoall, barrier, bcast, empty, exscan, gather, reduce,
    reduce_scatter, reduce_scatter_block, scan, scatter;

using OperationRegistry = Registry<Operation, const CallSite&>;

const OperationRegistry& registry() {
    static const OperationRegistry all{"operation",
                                       "what is measured: one MPI call with its buffers",
                                       {&allgather, &allreduce, &alltoall, &barrier, &bcast, &empty, &exscan, &gather,
                                        &reduce, &reduce_scatter, &reduce_scatter_block, &scan, &scatter}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

// Every member of this family is an OperationMember.
const OperationMember& traits(std::string_view name) {
    return static_cast<const OperationMember&>(family().find(name));
}

} // namespace operation
} // namespace ictus
