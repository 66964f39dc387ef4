// Starts the processes of somebody else's communicator together, by any member of family procsync: what an MPI_Barrier
// of an unmodified program is replaced by.
#pragma once

#include "clocksync/clocksync.hpp"
#include "interface/clocked_communicator.hpp"
#include "procsync/procsync.hpp"
#include "transport/global_clock.hpp"

namespace ictus {

class Synchroniser {
public:
    /// As users write them; an empty one of the last two is the default of ictus-bench.
    struct Texts {
        std::string_view procsync;
        std::string_view clocksync;
        std::string_view clock;
    };

    /// Collective over `comm`; synchronises the clocks. Throws the same Error on all ranks; a text that only one rank
    /// has wrong is named with that rank.
    [[nodiscard]] static std::unique_ptr<Synchroniser> create(MPI_Comm comm, const Texts& texts);

    /// Collective. Returns when this rank may go on: late_flag or 0.
    SampleFlags start() { return procsync_->start(); }
    /// Collective: the clocks anew, where clocksync is not `none`.
    void synchronise();

    [[nodiscard]] GlobalClock& global_clock() { return global_clock_; }
    /// How far the global clock may be from rank 0's at a local time, seconds; NaN where nothing is proven.
    [[nodiscard]] double bound(LocalTime local) const { return bound_(local); }
    /// That bound at the last start, in windows, for the clocks of windows are not synchronised again; 0 where there is
    /// no window, NaN where nothing is proven.
    [[nodiscard]] double bound_in_windows();
    [[nodiscard]] ClockedCommunicator& communicator() { return communicator_; }
    [[nodiscard]] const ClockedCommunicator& communicator() const { return communicator_; }
    [[nodiscard]] Transport& transport() { return communicator_.transport(); }

private:
    struct Request;
    Synchroniser(MPI_Comm comm, const Request& request);
    static Request read(const Texts& texts);

    ClockedCommunicator communicator_;
    GlobalClock global_clock_;
    ErrorBound bound_;
    std::unique_ptr<ClockSync> clocksync_;
    std::unique_ptr<ProcSync> procsync_;
};

} // namespace ictus
