// Where a rank runs, for the group algorithms.
#pragma once

namespace ictus {

/// Equal numbers mean the same host, the same socket of the same host, the same counter. `domain` is a claim (these
/// ranks read one physical counter) that must be verified by measurements before it is used.
struct RankLocation {
    int host = 0;
    int socket = 0;
    int domain = 0;
    friend bool operator==(const RankLocation&, const RankLocation&) = default;
};

} // namespace ictus
