#include "workload/operation/latecomer.hpp"

#include "base/defaults.hpp"
#include "base/random.hpp"
#include "mpi/handles.hpp"

#include <chrono>

namespace ictus::operation {
namespace {

constexpr double holds_back_s =
    0.01; // a thousand times what the other ranks need to enter, to leave and to send their messages
constexpr int tag = 7;

/// Seconds of the world that the ranks live in. On a machine it is not MPI_Wtime: a library may answer it coarsely, or
/// a tool in front of it otherwise.
double seconds() {
    if constexpr (is_simulated) {
        return MPI_Wtime();
    } else {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
}

} // namespace

int Latecomer::late(std::uint64_t seed) const {
    return static_cast<int>(SplitMix64::mix(seed) % static_cast<std::uint64_t>(n_ranks_));
}

void Latecomer::come(std::uint64_t seed) {
    early_.reset();
    if (n_ranks_ == 1 || rank_ != late(seed)) {
        return;
    }
    for (const double end = seconds() + holds_back_s; seconds() < end && !early_;) {
        int is_there = 0;
        MPI_Status status;
        mpi::check(MPI_Iprobe(MPI_ANY_SOURCE, tag, comm_, &is_there, &status), "MPI_Iprobe");
        if (is_there != 0) {
            early_ = status.MPI_SOURCE;
        }
    }
}

std::optional<Mismatch> Latecomer::leave(std::uint64_t seed) const {
    const int last = late(seed);
    if (rank_ != last) {
        mpi::check(MPI_Send(nullptr, 0, MPI_BYTE, last, tag, comm_), "MPI_Send");
        return std::nullopt;
    }
    for (int rank = 0; rank < n_ranks_; ++rank) {
        if (rank !=
            rank_) { // receive from each rank by name: a fast rank may already send the message of its next call
            mpi::check(MPI_Recv(nullptr, 0, MPI_BYTE, rank, tag, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
        }
    }
    if (!early_) {
        return std::nullopt;
    }
    return Mismatch{"the return of rank " + std::to_string(*early_), "after this rank's arrival",
                    "before it, although this rank arrived late"};
}

} // namespace ictus::operation
