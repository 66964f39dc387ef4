#include "workload/operation/one_sided.hpp"

#include <cstring>
#include <exception>

namespace ictus::operation {
namespace {

/// All ranks meet here before the clock is read.
double begin_together(MPI_Comm comm) {
    mpi::check(MPI_Barrier(comm), "MPI_Barrier");
    return MPI_Wtime();
}

} // namespace

OneSided::OneSided(const OperationMember& member, const Bound& bound, const CallSite& site, WindowOf buffer)
    : OneSided(member, bound, site, buffer, {.sent = one_block(site), .received = one_block(site)}) {}

OneSided::OneSided(const OperationMember& member, const Bound& bound, const CallSite& site, WindowOf buffer,
                   const Blocks& blocks)
    : Collective(member, site, blocks), epoch_(epoch_of(bound)), target_(site.comm, next()),
      origin_(site.comm, before()), buffer_(buffer), begin_s_(begin_together(site.comm)),
      window_(site.count * unit_bytes(site), site.comm) {
    if (epoch_ == Epoch::fence) {
        mpi::check(MPI_Win_fence(MPI_MODE_NOPRECEDE, window_.handle()), "MPI_Win_fence");
    }
    if (epoch_ == Epoch::lock_held) {
        mpi::check(MPI_Win_lock_all(0, window_.handle()), "MPI_Win_lock_all");
    }
    set_up_ = {"window", MPI_Wtime() - begin_s_};
}

OneSided::Epoch OneSided::epoch_of(const Bound& bound) {
    const std::string epoch = bound.text("epoch");
    if (epoch == "passive") {
        return bound.text("lock") == "call" ? Epoch::lock_each : Epoch::lock_held;
    }
    return epoch == "fence" ? Epoch::fence : Epoch::pscw;
}

OneSided::~OneSided() {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (finalised != 0 || std::uncaught_exceptions() > 0) {
        return;
    }
    if (epoch_ == Epoch::fence) {
        MPI_Win_fence(MPI_MODE_NOSUCCEED, window_.handle());
    }
    if (epoch_ == Epoch::lock_held) {
        MPI_Win_unlock_all(window_.handle());
    }
}

// The puts of the last call are complete here, because a call ends on all ranks before every check(); new puts begin
// after the fence or barrier.
void OneSided::filled() {
    open(MPI_LOCK_EXCLUSIVE);
    if (window_.size_bytes() > 0) {
        std::memcpy(window_.data(), buffer(), window_.size_bytes());
    }
    close();
    if (epoch_ == Epoch::fence) {
        mpi::check(MPI_Win_fence(0, window_.handle()), "MPI_Win_fence");
    } else {
        mpi::check(MPI_Barrier(comm()), "MPI_Barrier");
    }
}

// When a call with a fence or MPI_Win_wait ends, the target has the data; other calls promise this to their caller
// alone.
void OneSided::arrived() const {
    if (epoch_ == Epoch::lock_each || epoch_ == Epoch::lock_held) {
        mpi::check(MPI_Barrier(comm()), "MPI_Barrier");
    }
    open(MPI_LOCK_SHARED);
    if (window_.size_bytes() > 0) {
        std::memcpy(buffer(), window_.data(), window_.size_bytes());
    }
    close();
}

void OneSided::open(int lock) const {
    if (epoch_ == Epoch::lock_each) {
        mpi::check(MPI_Win_lock(lock, rank(), 0, window_.handle()), "MPI_Win_lock");
    }
    if (epoch_ == Epoch::lock_held) {
        mpi::check(MPI_Win_sync(window_.handle()), "MPI_Win_sync");
    }
}

void OneSided::close() const {
    if (epoch_ == Epoch::lock_each) {
        mpi::check(MPI_Win_unlock(rank(), window_.handle()), "MPI_Win_unlock");
    }
    if (epoch_ == Epoch::lock_held) {
        mpi::check(MPI_Win_sync(window_.handle()), "MPI_Win_sync");
    }
}

} // namespace ictus::operation
