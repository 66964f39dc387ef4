// The implementation of an `ictus_clock`: a global clock on a communicator of another program.
#pragma once

#include "clockmath/clock_history.hpp"
#include "clocksync/clocksync.hpp"
#include "interface/clocked_communicator.hpp"

#include <shared_mutex>

namespace ictus {

class TracingClock {
public:
    /// Collective over `comm`. Empty texts are the defaults. Throws the same Error on all ranks.
    [[nodiscard]] static std::unique_ptr<TracingClock> create(MPI_Comm comm, std::string_view algorithm,
                                                              std::string_view base);

    /// Collective.
    void synchronise();
    /// Collective.
    void reanchor();

    /// Any number of threads may call this and the functions below.
    [[nodiscard]] Ticks ticks() const { return communicator_.clock().now(); }
    /// What ticks() reads.
    [[nodiscard]] Clock& clock() const { return communicator_.clock(); }
    [[nodiscard]] GlobalTime global(Ticks ticks) const;
    [[nodiscard]] double bound(Ticks ticks) const;
    [[nodiscard]] const std::string& description() const { return description_; }

private:
    TracingClock(MPI_Comm comm, const Bound& algorithm, const Bound& base);

    ClockedCommunicator communicator_;
    std::unique_ptr<ClockSync> algorithm_;
    std::string description_;
    mutable std::shared_mutex history_turn_;
    ClockHistory history_;
};

} // namespace ictus
