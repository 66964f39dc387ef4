#include "workload/operation/operation.hpp"

#include "base/error.hpp"
#include "plugin/library.hpp"
#include "workload/operation/form.hpp"

#include <algorithm>

namespace ictus {

std::string_view to_string(Volume volume) {
    switch (volume) {
    case Volume::none: return "none";
    case Volume::message: return "message";
    case Volume::blocks: return "blocks";
    case Volume::nested: return "nested";
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
std::span<const OperationMember> mockups();
extern const OperationMember accumulate, bandwidth, bibandwidth, compare_and_swap, empty, exchange, fetch_and_op, get,
    get_accumulate, pingpong, pingpong_as_packed, pingpong_bsend, pingpong_persistent, pingpong_ssend, put,
    reduce_local, repeated, sendrecv_ring, sequence, sparse_allgather, sparse_alltoall;

using OperationRegistry = Registry<Operation, const CallSite&>;

namespace {

/// Each collective in all its forms, and operations with a single form.
using Entry = std::span<const OperationMember>;
Entry one(const OperationMember& member) { return {&member, 1}; }

std::vector<const Member<Operation, const CallSite&>*> members(std::initializer_list<Entry> entries) {
    std::vector<const Member<Operation, const CallSite&>*> all;
    for (const Entry entry : entries) {
        for (const OperationMember& member : entry) {
            const auto is_same = [&](const auto* other) { return other->name == member.name; };
            if (member.declaration != nullptr && std::ranges::any_of(all, is_same)) {
                throw usage_error(plugin::title(*member.declaration) + ": '" + std::string(member.name) +
                                  "' has the name of an operation of Ictus; rename it");
            }
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
                                                one(pingpong_ssend),
                                                one(pingpong_bsend),
                                                one(pingpong_persistent),
                                                one(sendrecv_ring),
                                                one(exchange),
                                                one(bandwidth),
                                                one(bibandwidth),
                                                one(put),
                                                one(get),
                                                one(accumulate),
                                                one(get_accumulate),
                                                one(fetch_and_op),
                                                one(compare_and_swap),
                                                one(repeated),
                                                one(sequence),
                                                mockups(),
                                                one(pingpong_as_packed),
                                                plugin::members()})};
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
    const KnownFault fault = known_fault(member.mpi_name);
    if (!fault.what.empty()) {
        return std::string(member.mpi_name) + " of " + std::string(fault.library) + " " + std::string(fault.what);
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
