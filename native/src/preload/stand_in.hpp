// The replacement of MPI_Barrier on one communicator: a process synchronisation, and its counts.
#pragma once

#include "interface/synchroniser.hpp"
#include "interface/tracing_clock.hpp"
#include "mpi/foreign_communicator.hpp"
#include "preload/exit_log.hpp"
#include "preload/settings.hpp"

namespace ictus::preload {

/// The counts when the communicator is freed or the program ends. Plain bytes: ranks send it to each other.
struct Tally {
    std::uint64_t creator = 0;       ///< rank in MPI_COMM_WORLD of the communicator's rank 0, ...
    std::uint64_t number = 0;        ///< ... and how many it has created before: together they name the communicator
    std::uint64_t n_ranks = 0;       ///< of the communicator
    std::uint64_t rank = 0;          ///< own, in the communicator
    std::uint64_t communicators = 0; ///< 1 of the communicator's rank 0, so that sums count each once
    std::uint64_t barriers = 0;      ///< replaced; likewise
    std::uint64_t calls = 0;         ///< of this process
    std::uint64_t missed = 0;        ///< calls that missed their deadline
    std::uint64_t kept = 0;          ///< exits in the log
    std::uint64_t stride = 1;
    double bound_in_windows = 0.0; ///< of this process's global clock at the last barrier
    char name[64] = {};            ///< MPI_Comm_get_name, shortened
};

class StandIn;

/// Is notified when a communicator and its stand-in are freed.
class StandInOwner {
public:
    virtual void retire(StandIn& stand_in) noexcept = 0;

protected:
    ~StandInOwner() = default;
};

class StandIn final : public AttachedValue {
public:
    /// Collective over `comm`, with `number` that of the caller. `clock` reads the exits; null: none is kept, which all
    /// ranks decide alike. `has_room`: whether this process can keep more exits; if one cannot, none does.
    StandIn(MPI_Comm comm, const PreloadSettings& settings, const TracingClock* clock, std::uint64_t number,
            bool has_room);
    ~StandIn() override;

    /// Sets who is notified of its end; null: nobody.
    void belong_to(StandInOwner* owner) { owner_ = owner; }
    /// The communicator whose barriers it replaces.
    [[nodiscard]] MPI_Comm program_comm() const { return program_comm_; }
    [[nodiscard]] Order order() const override { return synchroniser_->communicator().order(); }
    /// Collective: one barrier.
    void wait();

    [[nodiscard]] Tally tally() const;
    [[nodiscard]] const ExitLog& exits() const { return exits_; }
    [[nodiscard]] ExitLog take_exits() { return std::move(exits_); }

private:
    void name_communicator(MPI_Comm comm, std::uint64_t number);

    MPI_Comm program_comm_;
    StandInOwner* owner_ = nullptr;
    std::unique_ptr<Synchroniser> synchroniser_;
    Tally tally_;
    const TracingClock* clock_;
    ExitLog exits_;
};

} // namespace ictus::preload
