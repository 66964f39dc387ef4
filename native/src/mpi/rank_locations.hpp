// Where all ranks run, once on each host: every rank reads the same list, and of many ranks it is long.
#pragma once

#include "machine/shared_pages.hpp"
#include "mpi/handles.hpp"
#include "transport/transport.hpp"

#include <optional>
#include <span>
#include <vector>

namespace ictus::mpi {

class RankLocations {
public:
    /// Collective over `comm`; `host` has the ranks of this host, in their order. Each rank says where it runs. A rank
    /// that cannot see the memory of its host's first rank (in another container, or simulated) has a copy of its own.
    RankLocations(MPI_Comm comm, const Communicator& host, const RankLocation& own);

    [[nodiscard]] std::span<const RankLocation> all() const;
    /// Whether the list lies in pages of the host.
    [[nodiscard]] bool is_shared() const { return pages_.has_value(); }

private:
    std::optional<machine::SharedPages> pages_;
    std::vector<RankLocation> copy_; ///< empty where there are pages
};

} // namespace ictus::mpi
