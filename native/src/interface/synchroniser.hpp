// Starts the processes of another program's communicator together, by any member of family procsync: it replaces an
// MPI_Barrier of an unmodified program.
#pragma once

#include "clocksync/clocksync.hpp"
#include "interface/clocked_communicator.hpp"
#include "procsync/procsync.hpp"
#include "transport/global_clock.hpp"

namespace ictus {

class Synchroniser {
public:
    /// As users write them. If one of the last two is empty, ictus-bench's default holds.
    struct Texts {
        std::string_view procsync;
        std::string_view clocksync;
        std::string_view clock;
    };

    /// Collective over `comm`; synchronises the clocks. Throws the same Error on all ranks; if only one rank
    /// has a wrong text, the Error names that rank.
    [[nodiscard]] static std::unique_ptr<Synchroniser> create(MPI_Comm comm, const Texts& texts);

    /// Collective. Returns when this rank may go on: late_flag or 0.
    SampleFlags start() { return procsync_->start(); }
    /// Collective: synchronises the clocks anew, unless clocksync is `none`.
    void synchronise();

    /// How far the global clock may be from rank 0's at a local time, seconds; NaN where nothing is proven.
    [[nodiscard]] double bound(LocalTime local) const { return bound_(local); }
    /// That bound at the last start, in windows, for the clocks of windows are not synchronised again; 0 where there is
    /// no window, NaN where nothing is proven.
    [[nodiscard]] double bound_in_windows();
    [[nodiscard]] ClockedCommunicator& communicator() { return communicator_; }
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
