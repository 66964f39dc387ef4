// The papers' check of a synchronisation: rank 0 plays ping-pong with every rank, or a sample of them, and finds how
// much their global clocks differ from its own. Algorithm 20 of "MPI benchmarking revisited". It shares the systematic
// errors of any ping-pong: on an asymmetric path it finds half the asymmetry and calls it an error.
//
// The stamps are those of the raw clocks, so one check judges any number of models of them.
#pragma once

#include "clockmath/clock_model.hpp"
#include "offset/ping_pong.hpp"

#include <vector>

namespace ictus {

struct PingPongSettings {
    std::uint64_t rounds = 10;
    std::uint64_t exchanges = 100; ///< of a round
    double round_gap_s = 0.0;
    double sample = 1.0; ///< share of the ranks
};

/// Ranks other than 0, ascending: a share of them, at least one where there is one. The papers take theirs half from
/// the middle and half from the high end, where long chains of models end.
[[nodiscard]] std::vector<int> sampled_ranks(int n_ranks, double share);

/// What one rank exchanged with rank 0, round by round; empty on ranks that are not checked.
using CheckRounds = std::vector<std::vector<offset::RoundTrip>>;

/// Collective.
[[nodiscard]] CheckRounds check_by_ping_pong(Transport& transport, const std::vector<int>& ranks,
                                             const PingPongSettings& settings);

struct CheckedError {
    double error_s;          ///< the rank's global clock minus rank 0's
    double half_width_s;     ///< proven: the true error is within error +- this, but for drift during the round; NaN: a
                             ///< clock stepped
    ReferenceTime root_time; ///< rank 0's local time at which it holds, ...
    LocalTime local_time;    ///< ... and the checked rank's
};

/// The signed error of smallest magnitude over the rounds, of which there is at least one. `own` and `root` map the two
/// clocks to global time.
[[nodiscard]] CheckedError smallest_error(const CheckRounds& rounds, const ClockModel& own, const ClockModel& root);

} // namespace ictus
