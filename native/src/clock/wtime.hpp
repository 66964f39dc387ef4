// `wtime`: MPI_Wtime, in nanoseconds since the first reading. Its own epoch may differ in each process (Open MPI counts
// from MPI_Init).
#pragma once

#include "clock/counter_clock.hpp"

#include <mpi.h>

namespace ictus {

class WtimeClock final : public CounterClock<WtimeClock> {
public:
    WtimeClock(const Bound&, const ClockPlace& place) : CounterClock(place.yields), origin_(MPI_Wtime()) {
        start_epoch();
    }

    /// The origin is subtracted while still a double: an absolute time in nanoseconds would lose digits on the way.
    [[nodiscard]] std::int64_t raw() const { return static_cast<std::int64_t>((MPI_Wtime() - origin_) * 1e9); }

    [[nodiscard]] double frequency_hz() const override { return 1e9; }
    [[nodiscard]] std::string frequency_source() const override { return "defined"; }

private:
    double origin_;
};

namespace clock {
extern const ClockMember wtime;
}

} // namespace ictus
