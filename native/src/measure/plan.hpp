// What a launch measures: checked, with every name bound and every default filled in.
#pragma once

#include "base/parameter.hpp"
#include "mpi/hosts.hpp"
#include "workload/heap.hpp"
#include "workload/operation/operation.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ictus {

struct CasePlan {
    std::uint32_t id = 0;
    Bound call;                                       ///< the operation with its parameters
    std::shared_ptr<const OperationMember> operation; ///< what is known of it
    std::uint64_t size_bytes = 0;                     ///< the total volume n of the plan (guidelines.md)
    const Datatype* datatype = nullptr;
    const Operator* reduction = nullptr;
    Bound communicator; ///< who calls together; `root` is a rank of theirs
    int root = 0;
    bool rotates_root = false; ///< repetition i has root i mod p, and `root` has no meaning
    bool in_place = false;
    Bound layout;
    Bound counts; ///< of varied operations; of others `equal`
    Bound procsync;
    Bound scheme;
    Bound repetition;
    Bound cache;
    std::uint64_t warmup = 0;
};

struct LaunchPlan {
    int n_ranks = 0; ///< 0: any number
    std::uint64_t seed = 1;
    Heap heap = Heap::kept; ///< in force since before MPI_Init
    Bound clock;
    mpi::DomainClaim clock_domain = mpi::DomainClaim::automatic;
    Bound clocksync;
    std::uint64_t fault_calls = 0; ///< calls of each case whose page faults are counted; then nothing is timed
    bool validate = true;
    bool raw = false;
    double block_time_s = 5.0;
    double resync_time_s = 60.0;
    std::string output; ///< existing folder; empty: a table on standard output
    std::vector<CasePlan> cases;
    std::vector<std::pair<std::string, std::string>> options; ///< launch-wide options as in force, for the record
};

/// A case's volume where `n_ranks` ranks call together. Blocks are rounded up to whole units of the layout.
struct Extent {
    std::uint64_t count = 0;       ///< elements of the message, or of one block
    std::uint64_t block_bytes = 0; ///< bytes of the message, or of one block
    std::uint64_t moved_bytes = 0; ///< bytes of one process's largest buffer
};

/// Throws a usage Error, naming the nearest sizes, if the size is no multiple of the datatype's.
[[nodiscard]] Extent extent_of(const CasePlan& plan, int n_ranks);

} // namespace ictus
