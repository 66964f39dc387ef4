// How long the library's own barrier takes: what a synchronisation has to be worth (the baseline of the Pareto figure).
#pragma once

#include "transport/transport.hpp"

namespace ictus {

/// A call lasts as long as on its slowest rank. NaN for no calls.
struct BarrierTime {
    std::uint64_t calls = 0;
    double mean_s = 0.0;
    double median_s = 0.0;
};

/// Collective; the result has a meaning on rank 0.
[[nodiscard]] BarrierTime measure_barrier(Transport& transport, std::uint64_t calls);

} // namespace ictus
