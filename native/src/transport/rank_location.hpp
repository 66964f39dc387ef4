// Where a rank runs, as the group algorithms need to know it.
#pragma once

namespace ictus {

/// Equal numbers mean the same host, the same socket of the same host, the same counter. `domain` is a claim (these
/// ranks read one physical counter) that must be verified by measuring before anything rests on it.
struct RankLocation {
    int host = 0;
    int socket = 0;
    int domain = 0;
    friend bool operator==(const RankLocation&, const RankLocation&) = default;
};

} // namespace ictus
