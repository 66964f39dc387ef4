// What a call wrote, spoiled behind MPI's back: at once after a blocking call, and at the completion of a request.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace ictus::shim {

/// A run of `count` elements that a call writes on this rank; those of one call are in the order of the buffer.
struct ReceivedRun {
    void* data;
    std::size_t count;
    MPI_Datatype type;
};
using ReceivedRuns = std::vector<ReceivedRun>;

/// Whether the call is one to spoil on this rank; where one of several is named, it is counted. Between two groups
/// (intercommunicators) the buffers mean other things.
[[nodiscard]] bool is_target(std::string_view mpi_name, MPI_Comm comm);
/// The same of a call of `rank` of whatever has ranks.
[[nodiscard]] bool is_target_at(std::string_view mpi_name, int rank);

/// What was there before a call: for what is to look as if it had never been written. Only what the datatypes hold is
/// looked at and changed, gaps stay as they are.
class Spoiler {
public:
    explicit Spoiler(ReceivedRuns received);

    /// Before the call begins to write.
    void remember();
    /// After it has written.
    void spoil() const;

private:
    [[nodiscard]] std::size_t size() const;

    ReceivedRuns received_;
    std::vector<std::vector<unsigned char>> before_; ///< of each piece, packed
};

/// The call that made `request` is to be spoiled when it completes. `is_persistent`: each time it was started.
void spoil_at_completion(MPI_Request request, Spoiler spoiler, bool is_persistent);

/// Makes a call. `received()` is called before it, if the call is one to spoil.
template <class Describe, class Call>
int spoiled(bool is_meant, Describe received, Call call) {
    if (!is_meant) {
        return call();
    }
    const Spoiler spoiler(received());
    const int code = call();
    spoiler.spoil();
    return code;
}

/// The same of a call that begins something.
template <class Describe, class Call>
int spoiled_later(bool is_meant, Describe received, MPI_Request* request, bool is_persistent, Call call) {
    if (!is_meant) {
        return call();
    }
    Spoiler spoiler(received());
    const int code = call();
    spoil_at_completion(*request, std::move(spoiler), is_persistent);
    return code;
}

// Where the pieces of usual calls are.
[[nodiscard]] int rank_in(MPI_Comm comm);
[[nodiscard]] int size_of(MPI_Comm comm);
/// `n` blocks of `count` elements.
[[nodiscard]] ReceivedRuns blocks(void* data, int n, int count, MPI_Datatype type);
/// Blocks of which each has its size, and its place in elements.
[[nodiscard]] ReceivedRuns varied_blocks(void* data, int n, const int counts[], const int displacements[],
                                         MPI_Datatype type);
/// Blocks of which each has its size, its place in bytes, and its datatype.
template <class Displacement>
[[nodiscard]] ReceivedRuns typed_blocks(void* data, int n, const int counts[], const Displacement displacements[],
                                        const MPI_Datatype types[]) {
    ReceivedRuns all;
    for (int i = 0; i < n; ++i) {
        all.push_back({static_cast<char*>(data) + displacements[i], static_cast<std::size_t>(counts[i]), types[i]});
    }
    return all;
}
/// Ranks that a rank receives from in a neighbourhood collective.
[[nodiscard]] int n_sources(MPI_Comm comm);

} // namespace ictus::shim
