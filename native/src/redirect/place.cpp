#include "redirect/place.hpp"

#include "mpi/check.hpp"
#include "mpi/reach.hpp"

#include <algorithm>

namespace ictus::redirect {
namespace {

std::atomic<std::uint64_t> gone = 0;

} // namespace

std::uint64_t Place::generation() { return gone.load(std::memory_order_acquire); }

Place::~Place() { gone.fetch_add(1, std::memory_order_release); }

Place::Place(MPI_Comm comm, const Profile& profile) {
    mpi::check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
    mpi::check(MPI_Comm_size(comm, &n_ranks_), "MPI_Comm_size");
    for_all_sizes_.fill(Fate::not_in_profile);
    for (std::size_t line = 0; line < profile.reroutes.size(); ++line) {
        const Reroute& one = profile.reroutes[line];
        const auto which = static_cast<std::size_t>(std::ranges::find(collective_names, one.mockup->stands_for) -
                                                    collective_names.begin());
        if (one.n == n_ranks_) {
            ranges_[which].push_back({one.from_bytes, one.to_bytes, line});
            for_all_sizes_[which] = Fate::rerouted;
        } else if (for_all_sizes_[which] == Fate::not_in_profile) {
            for_all_sizes_[which] = Fate::other_n;
        }
    }
    for (auto& ranges : ranges_) {
        std::ranges::sort(ranges, {}, &Range::from_bytes);
    }
    const bool is_between = mpi::is_between_groups(comm);
    if (is_between || !mpi::lies_in_world(comm)) {
        for_all_sizes_.fill(is_between ? Fate::between_groups : Fate::beyond_world);
    }
}

Place::Answer Place::answer(Collective which, std::uint64_t n_bytes) const {
    const auto& ranges = ranges_[static_cast<std::size_t>(which)];
    const auto behind = std::ranges::upper_bound(ranges, n_bytes, {}, &Range::from_bytes);
    if (behind == ranges.begin() || std::prev(behind)->to_bytes < n_bytes) {
        return {Fate::other_size, 0};
    }
    return {Fate::rerouted, std::prev(behind)->line};
}

} // namespace ictus::redirect
