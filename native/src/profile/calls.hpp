// What is counted: the calls of the one list (interposition/functions.hpp) by number, and what is known of each.
#pragma once

#include "interposition/functions.hpp"

namespace ictus::profile {

using interposition::CallId;

/// A blocking collective of all processes of a communicator: time inside it may be waiting for those that come later.
/// Of neighbours it is not known here who waits for whom.
[[nodiscard]] constexpr bool waits_for_others(CallId call) { return call <= CallId::Exscan; }
static_assert(static_cast<int>(CallId::Barrier) == 0 && CallId::Exscan < CallId::Neighbor_allgather);

/// Collectives are three lists in one order: blocking, nonblocking, persistent.
inline constexpr int n_collectives = static_cast<int>(CallId::Ibarrier);
[[nodiscard]] constexpr bool is_nonblocking(CallId call) {
    return call >= CallId::Ibarrier && call <= CallId::Ineighbor_alltoallw;
}
[[nodiscard]] constexpr bool is_persistent([[maybe_unused]] CallId call) {
#if ICTUS_HAS_PERSISTENT_COLLECTIVES
    return call >= CallId::Barrier_init && call <= CallId::Neighbor_alltoallw_init;
#else
    return false;
#endif
}
/// The blocking collective that does the same.
[[nodiscard]] constexpr CallId blocking_form(CallId call) {
    return is_nonblocking(call) || is_persistent(call) ? static_cast<CallId>(static_cast<int>(call) % n_collectives)
                                                       : call;
}
static_assert(blocking_form(CallId::Ineighbor_alltoallw) == CallId::Neighbor_alltoallw);
/// Ends nonblocking calls, or asks whether they have ended.
[[nodiscard]] constexpr bool is_completion(CallId call) { return call >= CallId::Wait && call <= CallId::Testsome; }

/// Of those: all processes contribute the same number of bytes, as `volume_of` counts them.
[[nodiscard]] constexpr bool has_one_size(CallId call) {
    return call != CallId::Gatherv && call != CallId::Scatterv && call != CallId::Allgatherv &&
           call != CallId::Alltoallv && call != CallId::Alltoallw;
}

[[nodiscard]] constexpr bool is_scatter(CallId call) {
    constexpr CallId all[] = {CallId::Scatter,      CallId::Scatterv,     CallId::Iscatter, CallId::Iscatterv,
#if ICTUS_HAS_PERSISTENT_COLLECTIVES
                              CallId::Scatter_init, CallId::Scatterv_init
#endif
    };
    for (const CallId one : all) {
        if (one == call) {
            return true;
        }
    }
    return false;
}

} // namespace ictus::profile
