// Shared by the one-sided operations: a window on every rank, made before the first call, and how a call becomes
// complete. Every rank works on the window of the next rank on a ring, a single rank on its own window. n is the
// message, which the window holds once.
//
//     put(fence)                 timed: MPI_Put, and the MPI_Win_fence that ends its epoch and begins the next
//     put(pscw)                  timed: MPI_Win_post, MPI_Win_start, MPI_Put, MPI_Win_complete, MPI_Win_wait
//     put(passive)               timed: MPI_Win_lock (shared), MPI_Put, MPI_Win_unlock
//     put(passive,lock=held)     timed: MPI_Put and MPI_Win_flush under one MPI_Win_lock_all for all calls
//
// In each case the data have arrived when the call returns. An untimed barrier and an epoch in which the target reads
// its own window show that the target's process sees them. In cache mode `cold-rotate` buffers move; windows do not.
#pragma once

#include "mpi/handles.hpp"
#include "workload/operation/collective.hpp"
#include "workload/operation/form.hpp"

namespace ictus::operation {

inline constexpr Parameter one_sided_parameters[] = {
    {.name = "epoch",
     .type = Parameter::Type::choice,
     .default_value = "fence",
     .help = "how a call is completed: by all ranks together (fence), by its two ranks (pscw: post, start, complete, "
             "wait), or only by the rank that calls (passive)",
     .choices = "fence pscw passive"},
    {.name = "lock",
     .type = Parameter::Type::choice,
     .default_value = "call",
     .help = "with passive: the lock is taken and released in each call, or held over all calls, which are flushed",
     .choices = "call held"},
};

class OneSided : public Collective {
public:
    ~OneSided() override;
    [[nodiscard]] std::span<const SetupCost> set_up() const final { return {&set_up_, 1}; }

protected:
    /// The buffer that the window replaces: its content goes into the window before a call and comes out of it after
    /// the call.
    enum class WindowOf { sent, received };
    OneSided(const OperationMember& member, const Bound& bound, const CallSite& site, WindowOf buffer);
    /// Of buffers with several blocks the window replaces the first one.
    OneSided(const OperationMember& member, const Bound& bound, const CallSite& site, WindowOf buffer,
             const Blocks& blocks);

    [[nodiscard]] int next() const { return (rank() + 1) % n_ranks(); }
    [[nodiscard]] int before() const { return (rank() + n_ranks() - 1) % n_ranks(); }

    [[nodiscard]] MPI_Win window() const { return window_.handle(); }
    /// The call of `access`, MPI_Put or another one on the next rank's window, and of its completion.
    [[nodiscard]] BoundCall bind_epoch(const BoundCall& access) {
        access_ = access;
        return BoundCall::run(*this);
    }

    void filled() override;

private:
    enum class Epoch { fence, pscw, lock_each, lock_held };
    [[nodiscard]] static Epoch epoch_of(const Bound& bound);

    friend BoundCall;
    int run() {
        const int began = begin(window());
        const int code = began != MPI_SUCCESS ? began : access_();
        const int ended = end(window());
        return code != MPI_SUCCESS ? code : ended;
    }
    int begin(MPI_Win window) {
        switch (epoch_) {
        case Epoch::pscw: {
            const int code = MPI_Win_post(origin_.handle(), 0, window);
            return code != MPI_SUCCESS ? code : MPI_Win_start(target_.handle(), 0, window);
        }
        case Epoch::lock_each: return MPI_Win_lock(MPI_LOCK_SHARED, next(), 0, window);
        case Epoch::fence:
        case Epoch::lock_held: break;
        }
        return MPI_SUCCESS;
    }
    int end(MPI_Win window) {
        switch (epoch_) {
        case Epoch::fence: return MPI_Win_fence(0, window);
        case Epoch::pscw: {
            const int code = MPI_Win_complete(window);
            const int over = MPI_Win_wait(window);
            return code != MPI_SUCCESS ? code : over;
        }
        case Epoch::lock_each: return MPI_Win_unlock(next(), window);
        case Epoch::lock_held: break;
        }
        return MPI_Win_flush(next(), window);
    }

    void arrived() const final;
    /// Surround every read or write of this process's own window; no other process works on the window meanwhile.
    void open(int lock) const;
    void close() const;
    [[nodiscard]] std::byte* buffer() const { return buffer_ == WindowOf::sent ? send() : receive(); }

    BoundCall access_;
    Epoch epoch_;
    mpi::RankGroup target_; ///< the rank whose window this one works on, ...
    mpi::RankGroup origin_; ///< ... and the one that works on its own
    WindowOf buffer_;
    double begin_s_; ///< the time just before the window is made
    mpi::Window window_;
    SetupCost set_up_;
};

} // namespace ictus::operation
