#include "redirect/account.hpp"

#include "mpi/foreign_communicator.hpp"
#include "mpi/handles.hpp"

#include <algorithm>
#include <numeric>

namespace ictus::redirect {
namespace {

/// Sums over all ranks, on rank 0.
template <class Range>
std::vector<std::uint64_t> summed(MPI_Comm world, const Range& own) {
    std::vector<std::uint64_t> values;
    for (const auto& one : own) {
        values.push_back(one.load(std::memory_order_relaxed));
    }
    std::vector<std::uint64_t> sums(values.size());
    mpi::check(MPI_Reduce(values.data(), sums.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_SUM, 0, world),
               "MPI_Reduce");
    return sums;
}

} // namespace

std::uint64_t Counts::all(Collective which) const {
    const auto first = fates.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(which) * fate_names.size());
    return std::accumulate(first, first + static_cast<std::ptrdiff_t>(fate_names.size()), std::uint64_t{0});
}

Counts Account::gather(MPI_Comm world, std::uint64_t scratch_bytes) const {
    Counts counts;
    counts.fates = summed(world, fates_);
    counts.calls = summed(world, calls_);
    counts.bytes = summed(world, bytes_);
    mpi::check(MPI_Reduce(&scratch_bytes, &counts.scratch_bytes, 1, MPI_UINT64_T, MPI_MAX, 0, world), "MPI_Reduce");
    return counts;
}

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
