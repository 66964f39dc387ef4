// Clock domains: the ranks that read one counter. A domain is claimed and then verified; its ranks share what their
// leader learns.
#pragma once

#include "clocksync/clocksync.hpp"
#include "transport/transport.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ictus {

// Groups of ranks by equal keys. Arithmetic on ranks only.

/// For each rank the first rank with the same key, which leads their group. Linear where equal keys stand together and
/// new ones ascend, as those of hosts mostly do.
[[nodiscard]] std::vector<int> leaders_by_key(std::span<const std::int64_t> keys);

namespace clocksync {

// Ranks that read one physical counter need no synchronisation among themselves. The domain of a rank's location is a
// claim. It is verified here by measurements, and a domain that does not hold is split.
//
// Each member measures one offset against the leader of its claimed domain, the first of its ranks: the intersection of
// what all exchanges prove. On one counter 0 lies inside, up to one reading of the clock. The check cannot see offsets
// below half a round trip. Members that fail are checked again among themselves, led by the first of them, until every
// rank has its domain. Different domains are verified at the same time, one member after the other inside each.
//
// Two counters that agree at the moment of the check and run at different rates pass it. So the check can be made
// twice, `apart` seconds between the two: it then finds rates that differ by more than half a round trip over that time
// (100 ppm over 20 ms is 2 us). Finer differences show in the closing calibration of the block, whose residuals are per
// rank, and at the next synchronisation, which verifies anew.

/// How the claims are verified. Cost: 2 exchanges + 1 messages a member, twice that where `apart_s` is above 0, and the
/// verdicts against a claim on their way to the root and to all.
struct DomainCheck {
    std::uint64_t exchanges = 20;
    double apart_s = 0.0; ///< time between two checks; 0: one check
};

/// A rank that does not read the counter that its location claims.
struct Split {
    int rank = 0;
    int leader = 0;       ///< of the domain that was claimed
    ClockOffset offset{}; ///< own minus the leader's
    double bound = 0.0;   ///< proven: the true offset is within offset +- bound, seconds; NaN: it changed meanwhile
};

/// The outcome as one rank knows it: of a million ranks, those beside it on one counter.
struct Domains {
    std::vector<int> members;   ///< of the own domain, ascending: the first leads it
    std::vector<Split> splits;  ///< by rank, the same on all; empty where every claim held
    std::map<int, int> moved{}; ///< the same on all: ranks outside the domain that they claim, and who leads them now
    bool shared = false;        ///< the same on all: some domain has several ranks

    [[nodiscard]] int leader() const { return members.front(); }
};

/// Collective over all ranks of the transport. Where no two ranks claim one domain, no message is sent.
[[nodiscard]] Domains find_domains(Transport& transport, const DomainCheck& check = {});

/// Likewise, an earlier outcome is verified again.
[[nodiscard]] Domains verify_domains(Transport& transport, const Domains& claimed, const DomainCheck& check);

/// For each rank the first rank of its domain. Linear in the ranks: not to be kept.
[[nodiscard]] std::vector<int> leader_of_each(const Transport& transport, const Domains& domains);

/// The ranks that lead a domain, ascending: rank 0 is the first. Likewise.
[[nodiscard]] std::vector<int> all_leaders(const Transport& transport, const Domains& domains);

/// Which ranks were split off and how far they are apart, as text: `ranks 1 and 3 do not read the clock of rank 0
/// (100 ms apart)`, one sentence a claimed domain, and one for all beyond the seventh where there are more than eight.
/// Empty where every claim held.
[[nodiscard]] std::vector<std::string> describe_splits(const Transport& transport, const Domains& domains);

/// The shortest step seen between readings in a row; 0 where the clock stood still.
[[nodiscard]] double shortest_step(Transport& transport);

/// Collective: each leader's outcome becomes that of all ranks of its domain. A member's bound is the leader's and one
/// step of the clock.
[[nodiscard]] Synchronised share(Transport& transport, const Domains& domains, const Synchronised& leaders);

} // namespace clocksync

} // namespace ictus
