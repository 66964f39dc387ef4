// Carries out a schedule of neighbourhood/sparse_schedule with MPI messages. The blocks may have any layout of a
// datatype, and sizes that differ between neighbours but not between ranks. Nothing is packed:
// the datatypes of each round are made once, and MPI reads and writes the blocks where they are. At the end of an open
// dimension a rank leaves out what would come from outside of the mesh or go there.
#pragma once

#include "mpi/handles.hpp"
#include "neighbourhood/sparse_schedule.hpp"

#include <cstddef>
#include <mpi.h>
#include <span>
#include <vector>

namespace ictus::sparse {

/// Data as the arguments of an MPI call.
struct TypedBlock {
    void* address;
    int count;
    MPI_Datatype type;
};

class SparseExchange {
public:
    /// The blocks stay where they are until this is destroyed. All types are made of `element`. Block i of both lists
    /// has the same number of elements on every rank, unless the schedule is an allgather's: then there is one block to
    /// send, and all have as many.
    SparseExchange(MPI_Comm comm, const Torus& torus, const SparseSchedule& schedule, std::span<const TypedBlock> sent,
                   std::span<const TypedBlock> received, MPI_Datatype element);
    SparseExchange(const SparseExchange&) = delete;
    SparseExchange& operator=(const SparseExchange&) = delete;

    /// One exchange; all ranks call it. Returns the first code of MPI's other than success.
    int run();

    [[nodiscard]] std::size_t rounds() const { return rounds_.size(); }

private:
    /// What one MPI call sends or receives: one block as it is, or several as one datatype.
    struct RoundMessage {
        TypedBlock block;
        mpi::DerivedType combined;
    };
    struct Round {
        int to;
        int from;
        RoundMessage out;
        RoundMessage in;
    };

    [[nodiscard]] static RoundMessage combine(std::span<const TypedBlock> blocks);
    /// Of the transfers those of blocks that have an origin and a destination (is_on).
    void add_round(const Torus& torus, int rank, const GridOffset& jump, std::span<const Transfer> transfers,
                   std::span<const TypedBlock> sent, std::span<const TypedBlock> received);

    MPI_Comm comm_;
    std::vector<std::vector<std::byte>> scratch_;
    std::vector<TypedBlock> resting_; ///< the blocks of scratch_
    std::vector<Round> rounds_;
};

} // namespace ictus::sparse
