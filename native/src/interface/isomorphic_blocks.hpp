// The blocks of an isomorphic exchange as the arguments of a call describe them, and what is wrong with them.
#pragma once

#include "neighbourhood/sparse_exchange.hpp"

#include <mpi.h>
#include <string>
#include <vector>

namespace ictus::isomorphic {

using Blocks = std::vector<sparse::TypedBlock>;

/// Throws MPI_ERR_ARG with this text.
[[noreturn]] void refuse(const std::string& what);

/// The blocks of one buffer. Throws MPI_ERR_ARG for lists that are not there, counts below 0, and no datatype.
class BlockReader {
public:
    /// `what` names the buffer in errors.
    BlockReader(std::string what, const void* buffer);

    [[nodiscard]] Blocks equal(std::size_t n, int count, MPI_Datatype type) const;
    [[nodiscard]] Blocks varied(std::size_t n, const int* counts, const int* places, MPI_Datatype type) const;
    [[nodiscard]] Blocks typed(std::size_t n, const int* counts, const MPI_Aint* places,
                               const MPI_Datatype* types) const;

private:
    void require_lists(std::size_t n, bool are_there) const;
    void check(std::size_t i, int count, MPI_Datatype type) const;
    [[nodiscard]] sparse::TypedBlock at(MPI_Aint place, int count, MPI_Datatype type) const;

    std::string what_;
    std::byte* buffer_;
};

/// Block i has as many bytes sent as received; of an allgather all have as many as the one that is sent. Throws
/// MPI_ERR_ARG.
void require_sizes(const Blocks& sent, const Blocks& received, const std::string& caller);

/// What blocks rest as on their way: their datatype where all have one, else bytes.
[[nodiscard]] MPI_Datatype resting_type(const Blocks& sent, const Blocks& received);

} // namespace ictus::isomorphic
