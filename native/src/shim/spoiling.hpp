// What a call wrote, spoiled behind MPI's back: at once after a blocking call, and at the completion of a request.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace ictus::shim {

/// A run of `count` elements that a call writes on this rank; those of one call are in the order of the buffer.
struct Piece {
    void* data;
    std::size_t count;
    MPI_Datatype type;
};
using Received = std::vector<Piece>;

/// Whether the call is one to spoil on this rank. Between two groups (intercommunicators) the buffers mean other
/// things.
[[nodiscard]] bool is_target(std::string_view mpi_name, MPI_Comm comm);

/// What was there before a call: for what is to look as if it had never been written.
class Spoiler {
public:
    explicit Spoiler(Received received);

    /// Before the call begins to write.
    void remember();
    /// After it has written.
    void spoil() const;

private:
    [[nodiscard]] std::size_t size() const;

    Received received_;
    std::vector<std::size_t> element_bytes_; ///< of each piece, gaps of a derived datatype included
    std::vector<std::vector<unsigned char>> before_;
};

/// The call that made `request` is to be spoiled when it completes. `is_persistent`: each time it was started.
void spoil_at_completion(MPI_Request request, Spoiler spoiler, bool is_persistent);

// Where the pieces of usual calls are.
[[nodiscard]] int rank_in(MPI_Comm comm);
[[nodiscard]] int size_of(MPI_Comm comm);
/// `n` blocks of `count` elements.
[[nodiscard]] Received blocks(void* data, int n, int count, MPI_Datatype type);
/// Blocks of which each has its size, and its place in elements.
[[nodiscard]] Received varied_blocks(void* data, int n, const int counts[], const int places[], MPI_Datatype type);
/// Blocks of which each has its size, its place in bytes, and its datatype.
template <class Place>
[[nodiscard]] Received typed_blocks(void* data, int n, const int counts[], const Place places[],
                                    const MPI_Datatype types[]) {
    Received all;
    for (int i = 0; i < n; ++i) {
        all.push_back({static_cast<char*>(data) + places[i], static_cast<std::size_t>(counts[i]), types[i]});
    }
    return all;
}
/// Ranks that a rank receives from in a neighbourhood collective.
[[nodiscard]] int n_sources(MPI_Comm comm);

} // namespace ictus::shim
