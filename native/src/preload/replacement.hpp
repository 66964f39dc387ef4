// The replacement of barriers in one process, from MPI_Init to MPI_Finalize of an unmodified program.
#pragma once

#include "preload/stand_in.hpp"

#include <mutex>
#include <vector>

namespace ictus::preload {

struct BarrierAccount;

class Replacement final : private StandInOwner {
public:
    /// Collective over MPI_COMM_WORLD, right after MPI_Init. Throws the same Error on all ranks.
    explicit Replacement(const PreloadSettings& settings);
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;

    /// One barrier, collective over `comm`; any number of threads, each with its own communicator. What cannot be
    /// replaced (reach.hpp) is left to the library. Throws.
    void barrier(MPI_Comm comm);
    /// Collective over MPI_COMM_WORLD, right before MPI_Finalize: gathers, writes and prints the results. Throws the
    /// errors of this rank.
    void finish();

private:
    /// The results of a freed communicator.
    struct RetiredCommunicator {
        Tally tally;
        ExitLog exits;
    };

    AttachedValue& take_on(MPI_Comm comm);
    StandIn& create(MPI_Comm comm);
    void leave(MPI_Comm comm);
    void retire(StandIn& stand_in) noexcept override;
    [[nodiscard]] StandIn* first_present();
    [[nodiscard]] std::string retire_all();
    void tell(const BarrierAccount& account, double elapsed_s) const; ///< NaN: the program runs

    PreloadSettings settings_;
    mpi::Communicator world_;
    std::unique_ptr<TracingClock> clock_; ///< of the log: one time line for all communicators
    CommAttribute attribute_;             ///< each communicator's StandIn
    double began_s_;
    std::string library_version_;

    std::mutex turn_;               ///< for what follows
    std::vector<StandIn*> present_; ///< owned by their communicators
    std::vector<RetiredCommunicator> past_;
    Tally earlier_; ///< sum over communicators that have no row of their own
    std::uint64_t created_ = 0;
    std::uint64_t room_taken_ = 0; ///< exits that are kept, or can be
    std::uint64_t left_ = 0;
};

} // namespace ictus::preload
