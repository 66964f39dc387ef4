// Carries out a schedule of neighbourhood/sparse_schedule with MPI messages. The blocks may lie in memory in any way
// that a datatype can say and differ in size from neighbour to neighbour, but not from rank to rank. Nothing is packed:
// the datatypes of each round are made once, and MPI reads and writes the blocks where they are.
#pragma once

#include "mpi/handles.hpp"
#include "neighbourhood/sparse_schedule.hpp"

#include <cstddef>
#include <mpi.h>
#include <span>
#include <vector>

namespace ictus::sparse {

/// Data as an MPI call is told of it.
struct Block {
    void* address;
    int count;
    MPI_Datatype type;
};

class Exchange {
public:
    /// The blocks stay where they are until this is destroyed. All types are made of `element`. Block i of both lists
    /// has the same number of elements on every rank, unless the schedule is an allgather's: then there is one block to
    /// send, and all have as many.
    Exchange(MPI_Comm comm, const Torus& torus, const SparseSchedule& schedule, std::span<const Block> sent,
             std::span<const Block> received, MPI_Datatype element);
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    /// One exchange; all ranks call it. Returns the first of MPI's codes that is no success.
    int run();

    [[nodiscard]] std::size_t rounds() const { return rounds_.size(); }

private:
    /// What one MPI call sends or receives: one block as it is, or several as one datatype.
    struct Message {
        Block block;
        mpi::DerivedType combined;
    };
    struct Round {
        int to;
        int from;
        Message out;
        Message in;
    };

    [[nodiscard]] static Message combine(std::span<const Block> blocks);
    void add_round(int to, int from, std::span<const Transfer> transfers, std::span<const Block> sent,
                   std::span<const Block> received);

    MPI_Comm comm_;
    std::vector<std::vector<std::byte>> scratch_;
    std::vector<Block> resting_; ///< the blocks of scratch_
    std::vector<Round> rounds_;
};

} // namespace ictus::sparse
