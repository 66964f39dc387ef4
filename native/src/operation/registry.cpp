#include "operation/operation.hpp"

#include "core/error.hpp"

namespace ictus {

std::string_view to_string(Volume volume) {
    switch (volume) {
    case Volume::none: return "none";
    case Volume::message: return "message";
    case Volume::blocks: return "blocks";
    }
    return "unknown";
}

std::string_view to_string(Form form) {
    switch (form) {
    case Form::blocking: return "blocking";
    case Form::nonblocking: return "nonblocking";
    case Form::persistent: return "persistent";
    }
    return "unknown";
}

namespace operation {

extern const Forms allgather, allgatherv, allreduce, alltoall, alltoallv, alltoallw, barrier, bcast, exscan, gather,
    gatherv, neighbor_allgather, neighbor_allgatherv, neighbor_alltoall, neighbor_alltoallv, neighbor_alltoallw, reduce,
    reduce_scatter, reduce_scatter_block, scan, scatter, scatterv;
extern const OperationMember accumulate, bibandwidth, empty, exchange, get, pingpong, put, reduce_local, sendrecv_ring,
    sparse_allgather, sparse_alltoall;

// Mock-ups.
extern const OperationMember allgather_as_allreduce, allgather_as_alltoall, allgather_as_gather_and_bcast,
    allreduce_as_reduce_and_bcast, allreduce_as_reduce_scatter_block_and_allgather, barrier_as_allreduce,
    bcast_as_scatter_and_allgather, gather_as_allgather, gather_as_reduce, reduce_as_allreduce,
    reduce_as_reduce_scatter_block_and_gather, reduce_scatter_as_allreduce, reduce_scatter_as_reduce_and_scatterv,
    reduce_scatter_block_as_reduce_and_scatter, scan_as_exscan_and_reduce_local, scatter_as_bcast;

using OperationRegistry = Registry<Operation, const CallSite&>;

namespace {

/// Each collective in all its forms, and an operation that has one alone.
using Entry = std::span<const OperationMember>;
Entry one(const OperationMember& member) { return {&member, 1}; }

std::vector<const Member<Operation, const CallSite&>*> members(std::initializer_list<Entry> entries) {
    std::vector<const Member<Operation, const CallSite&>*> all;
    for (const Entry entry : entries) {
        for (const OperationMember& member : entry) {
            all.push_back(&member);
        }
    }
    return all;
}

} // namespace

const OperationRegistry& registry() {
    static const OperationRegistry all{"operation", "what is measured: one MPI call with its buffers",
                                       members({allgather,
                                                allgatherv,
                                                allreduce,
                                                alltoall,
                                                alltoallv,
                                                alltoallw,
                                                barrier,
                                                bcast,
                                                one(empty),
                                                exscan,
                                                gather,
                                                gatherv,
                                                reduce,
                                                one(reduce_local),
                                                reduce_scatter,
                                                reduce_scatter_block,
                                                scan,
                                                scatter,
                                                scatterv,
                                                neighbor_allgather,
                                                neighbor_allgatherv,
                                                neighbor_alltoall,
                                                neighbor_alltoallv,
                                                neighbor_alltoallw,
                                                one(sparse_allgather),
                                                one(sparse_alltoall),
                                                one(pingpong),
                                                one(sendrecv_ring),
                                                one(exchange),
                                                one(bibandwidth),
                                                one(put),
                                                one(get),
                                                one(accumulate),
                                                one(gather_as_allgather),
                                                one(gather_as_reduce),
                                                one(allgather_as_alltoall),
                                                one(allgather_as_allreduce),
                                                one(scatter_as_bcast),
                                                one(reduce_as_allreduce),
                                                one(reduce_scatter_as_allreduce),
                                                one(bcast_as_scatter_and_allgather),
                                                one(allgather_as_gather_and_bcast),
                                                one(allreduce_as_reduce_and_bcast),
                                                one(allreduce_as_reduce_scatter_block_and_allgather),
                                                one(reduce_as_reduce_scatter_block_and_gather),
                                                one(reduce_scatter_block_as_reduce_and_scatter),
                                                one(scan_as_exscan_and_reduce_local),
                                                one(reduce_scatter_as_reduce_and_scatterv),
                                                one(barrier_as_allreduce)})};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

// Every member of this family is an OperationMember.
const OperationMember& traits(std::string_view name) {
    return static_cast<const OperationMember&>(family().find(name));
}

std::string lack(const OperationMember& member) {
    if (member.available) {
        return "";
    }
    return std::string(member.mpi_name) + " is new in MPI " + std::string(member.since) +
           ", and the mpi.h that this program was built with (MPI " + std::to_string(MPI_VERSION) + "." +
           std::to_string(MPI_SUBVERSION) + ") does not declare it";
}

void require_available(const OperationMember& member) {
    if (!member.available) {
        throw usage_error("operation '" + std::string(member.name) + "' is unavailable: " + lack(member));
    }
}

} // namespace operation
} // namespace ictus
