// The timed loop of the schemes that time several calls in a row.
//
// A sample is one loop: a clock reading, the calls, a clock reading, inlined as in `per-call`. Its process
// synchronisation and its cache mode prepare the first call only. `late` says that the loop was begun after the
// deadline; a window must hold the whole loop, and `long` says that it did not.
#pragma once

#include "mpi/check.hpp"
#include "workload/scheme/scheme.hpp"

namespace ictus::scheme {

/// `after_call` follows each call inside the timing.
template <class ConcreteClock, class AfterCall>
std::size_t time_loops(ConcreteClock& clock, const SchemePlace& place, std::uint64_t first, std::span<Stamp> stamps,
                       std::uint64_t calls, AfterCall after_call) {
    int worst = MPI_SUCCESS;
    std::size_t filled = 0;
    for (Stamp& stamp : stamps) {
        Operation& operation = place.turns.of(first + filled);
        place.cache.prepare(operation);
        const SampleFlags late = place.procsync.start();
        if ((late & over_flag) != 0) {
            break;
        }
        ++filled;
        stamp.start = clock.read();
        for (std::uint64_t i = 0; i < calls; ++i) {
            const int code = operation.call();
            if (code != MPI_SUCCESS) {
                worst = code;
            }
            after_call();
        }
        stamp.end = clock.read();
        stamp.flags = static_cast<SampleFlags>(late | place.procsync.finish(clock.to_local(stamp.end)));
    }
    mpi::check(worst, "a measured call");
    return filled;
}

} // namespace ictus::scheme
