// How many ranks one rank serves in the tree of clockmath/rounds. Every level adds half a round trip, which no
// ping-pong can divide into its two ways, to the bound of all ranks below: a high arity has few levels. But a rank
// serves the others one after the other, and where a sweep has no room for that the learning lasts longer.
#pragma once

#include <cstdint>

namespace ictus {

/// The levels below the root of a tree over `size` ranks; arity >= 1.
[[nodiscard]] int tree_depth(int size, int arity);

/// What all sweeps over the edges of a tree are to be.
struct SweepPlan {
    double exchange_s = 0.0; ///< a round trip of an edge, with all that belongs to it
    std::uint64_t sweeps = 1;
    std::uint64_t exchanges = 1; ///< of an edge in a sweep
    double span_s = 0.0;         ///< over which they are spread where they do not last longer

    /// In a tree of that arity and depth: a rank has its bursts with those that it serves, and with the one that serves
    /// it.
    [[nodiscard]] double duration_s(int arity, int depth) const;
};

/// The arity of the least product of bound and duration, of equal ones the smallest: that is, the fewest levels which
/// the sweeps have room for in their span, and one level less where it costs less time than it narrows the bound. Only
/// the smallest arity of each depth can be it.
[[nodiscard]] int best_arity(int size, const SweepPlan& plan);

} // namespace ictus
