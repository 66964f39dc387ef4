// What a program's handles stand for: asked of the library once, then known for as long as the handle lives.
#pragma once

#include "interposition/argument.hpp"
#include "interposition/functions.hpp"
#include "mpi/foreign_communicator.hpp"
#include "profile/counters.hpp"

#include <array>
#include <atomic>
#include <mutex>

namespace ictus::profile {

using interposition::CallFacts;
using interposition::Counts;

struct KnownComm {
    std::uint32_t index = 0;
    int rank = 0;
    int n_blocks = 0;       ///< of an array of counts: processes, those of the other group between two groups
    int n_destinations = 0; ///< neighbours, in a topology
};

struct KnownType {
    std::uint32_t index = 0;
    std::uint64_t bytes = 0;
};

/// Handles of communicators, datatypes and windows. Any number of threads.
class Handles {
public:
    /// `world`: all processes of the program; it must live as long as calls are counted.
    Handles(Counters& counters, MPI_Group world);

    [[nodiscard]] KnownComm comm(MPI_Comm comm);
    [[nodiscard]] KnownType type(MPI_Datatype type);
    /// The number of a window's group among the communicators.
    [[nodiscard]] std::uint32_t window(MPI_Win window);
    /// The handle of a freed window may come again.
    static void forget_windows() { ++generation(); }

    /// Handles that were known before a change of it are asked for again: a freed one may come again as another.
    [[nodiscard]] static std::atomic<std::uint64_t>& generation();

private:
    [[nodiscard]] KnownComm ask_comm(MPI_Comm comm);
    [[nodiscard]] KnownType ask_type(MPI_Datatype type);
    [[nodiscard]] std::uint32_t add_group(MPI_Group group, int n_remote, const char* name);

    Counters& counters_;
    MPI_Group world_;
    CommAttribute attribute_;
    int type_key_ = MPI_KEYVAL_INVALID;
    std::mutex turn_;
};

/// Process' part of a call: its bytes and the datatype that they are counted in.
struct Volume {
    std::uint64_t bytes = 0;
    std::uint32_t type = 0;
};

[[nodiscard]] Volume volume_of(interposition::CallId call, const CallFacts& facts, const KnownComm& comm,
                               Handles& handles);

} // namespace ictus::profile
