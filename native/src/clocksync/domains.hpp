// Clock domains: the ranks that read one counter. They are claimed, verified, described, and share what their leader
// learns.
#pragma once

#include "clocksync/clocksync.hpp"
#include "transport/transport.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ictus {

// Groups of ranks by equal keys. Arithmetic on ranks only.

/// For each rank the first rank with the same key, which leads their group.
[[nodiscard]] std::vector<int> leaders_by_key(std::span<const std::int64_t> keys);

/// The ranks whose leader is `leader`, ascending: the leader is the first.
[[nodiscard]] std::vector<int> members_of(std::span<const int> leader_of, int leader);

namespace clocksync {

// Clock domains: ranks that read one physical counter need no synchronisation among themselves. A place's domain is a
// claim; here it is verified by measuring, and a domain that does not hold is split.
//
// Each member measures one offset against the leader of its claimed domain, the first of its ranks: the intersection of
// what all exchanges prove. On one counter 0 lies inside, up to one reading of the clock. What this cannot tell apart
// is offsets below half a round trip. Members that fail are tried again among themselves, the first of them leading,
// until all are settled. Different domains are verified at the same time, one member after the other inside each.
//
// Two counters that meet at the moment of the check and run at different rates pass it. So it can be made twice,
// `apart` seconds between the two: rates that differ by more than half a round trip over that time are found then (100
// ppm over 20 ms is 2 us). What is finer than that shows in the closing calibration of the block, whose residuals are
// per rank, and at the next synchronisation, which verifies anew.

/// How the claims are verified. Cost: 2 exchanges + 1 messages a member, twice that where `apart_s` is above 0, and one
/// reduction and broadcast of all verdicts.
struct DomainCheck {
    std::uint64_t exchanges = 20;
    double apart_s = 0.0; ///< time between two checks; 0: one check
};

/// A rank that was found not to read the counter that its place claims.
struct Split {
    int rank = 0;
    int leader = 0;       ///< of the domain that it was claimed for
    ClockOffset offset{}; ///< own minus the leader's
    double bound = 0.0;   ///< proven: the true offset is within offset +- bound, seconds
};

/// The outcome, the same on all ranks.
struct Domains {
    std::vector<int> leader_of; ///< per rank, the first rank of its domain
    std::vector<int> leaders;   ///< ascending; rank 0 is the first
    std::vector<Split> splits;  ///< by rank; empty where every claim held

    [[nodiscard]] bool is_leader(int rank) const { return leader_of[static_cast<std::size_t>(rank)] == rank; }
    /// Ascending: the leader is the first.
    [[nodiscard]] std::vector<int> members(int leader) const;
};

/// Collective over all ranks of the transport. Where no two ranks claim one domain, no message is sent.
[[nodiscard]] Domains find_domains(Transport& transport, const DomainCheck& check = {});

/// Likewise, of domains told by the first rank of each rank's: an earlier outcome is looked at again.
[[nodiscard]] Domains verify_domains(Transport& transport, const std::vector<int>& claimed, const DomainCheck& check);

/// Which ranks were split off and how far they are apart, for people: `ranks 1 and 3 do not read the clock of rank 0
/// (100 ms apart)`, one sentence a claimed domain. Empty where every claim held.
[[nodiscard]] std::vector<std::string> describe_splits(const Transport& transport, const Domains& domains);

/// The shortest step seen between readings in a row; 0 where the clock stood still.
[[nodiscard]] double shortest_step(Transport& transport);

// Inside a clock domain nothing needs to be learnt: all its ranks read one counter.

/// Collective: each leader's outcome becomes that of all ranks of its domain. A member's bound is the leader's and one
/// step of the clock.
[[nodiscard]] Synchronised share(Transport& transport, const Domains& domains, const Synchronised& leaders);

} // namespace clocksync

} // namespace ictus
