// A deterministic world of virtual time: one fiber a rank, one running at a time, with known clocks and known links.
// Same settings, same result, in whatever order fibers run. A rank's virtual time moves when it reads its clock, waits,
// or receives; messages on a link keep their order. Memory: a rank's stack as far as it is used, and each pair of ranks
// that exchange messages.
#pragma once

#include "transport/transport.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace ictus {

class FiberScheduler;

/// How each message's travel time is drawn: latency + exponential jitter, at times much longer.
struct SimulatedLink {
    double latency_s = 1e-6;
    double jitter_s = 0.0;   ///< mean of the random part
    int jitter_shape = 1;    ///< exponentials that make up the random part: of 1 it crowds at its least value, of 4 not
    double tail_share = 0.0; ///< share of messages whose jitter is tail_factor times as long
    double tail_factor = 20.0;
    double asymmetry_s = 0.0; ///< extra latency of messages from a lower to a higher rank
};

/// All links take longer for a while, as when cores move apart or a switch is busy.
struct SimulatedDetour {
    double begin_s;
    double duration_s;
    double up_s;   ///< extra latency of messages from a lower to a higher rank
    double down_s; ///< and the other way
};

/// A rank that is suspended for a while.
struct SimulatedStall {
    int rank;
    double begin_s;
    double duration_s;
};

/// What takes every rank from its program now and then, as the operating system does: at random instants, for random
/// times of this mean.
struct SimulatedNoise {
    double rate_hz;
    double mean_s;
};

/// A clock that steps, as that of a virtual machine does that moves to another host.
struct SimulatedStep {
    int rank;
    double at_s;
    double by_s; ///< forward where positive
};

struct SimulatedSettings {
    int size = 2;
    std::uint64_t seed = 1;
    double offset_s = 0.0;   ///< clocks of ranks 1.. start uniformly in +-offset_s
    double drift = 0.0;      ///< their drifts are uniform in +-drift (plain ratio)
    double wander = 0.0;     ///< see clockmath/skew
    double reading_s = 2e-8; ///< a clock reading takes this long
    double step_s = 0.0;     ///< clocks show multiples of this; 0: every instant
    double poll_s = 0.0;     ///< a rank that waits for a message looks for it this often; 0: notices it at once
    SimulatedLink link;
    std::vector<SimulatedDetour> detours;
    std::vector<SimulatedStall> stalls;
    std::vector<SimulatedNoise> noise;
    std::vector<SimulatedStep> steps; ///< in the order of time
    int ranks_per_host = 1;           ///< consecutive ranks; two sockets a host where it is a multiple of two
    bool one_clock_a_host = false;    ///< ranks of a host read one clock, and their locations claim one domain
    int radix = 0;             ///< of a fat tree: hosts under a leaf switch, and leaves under the next switch; 0: flat
    double hop_s = 0.0;        ///< extra latency for each level of switches to climb
    SimulatedLink host_link{}; ///< between ranks of one host, where ranks_per_host > 1
};

class SimulatedWorld {
public:
    explicit SimulatedWorld(const SimulatedSettings& settings);
    ~SimulatedWorld();
    SimulatedWorld(const SimulatedWorld&) = delete;
    SimulatedWorld& operator=(const SimulatedWorld&) = delete;

    /// Runs `body` as every rank until all return. Rethrows the first error; ranks that wait for each other are an
    /// Error that names them.
    void run(const std::function<void(Transport&)>& body);

    /// What the clock of `rank` would show at a true time if it had no steps of `step_s`.
    [[nodiscard]] LocalTime clock_at(int rank, double true_time);
    /// The global time then, which is what rank 0's clock shows.
    [[nodiscard]] GlobalTime global_at(double true_time) { return GlobalTime(clock_at(0, true_time).s); }
    /// The true time that `rank` has reached.
    [[nodiscard]] double true_time(int rank) const;

private:
    class Rank;
    friend class Rank;

    SimulatedSettings settings_;
    std::vector<RankLocation> locations_;
    std::unique_ptr<FiberScheduler> scheduler_;
    std::vector<std::unique_ptr<Rank>> ranks_;
};

} // namespace ictus
