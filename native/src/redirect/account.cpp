#include "redirect/account.hpp"

#include "mpi/foreign_communicator.hpp"
#include "mpi/handles.hpp"

#include <algorithm>
#include <numeric>

namespace ictus::redirect {
namespace {

/// Sums over all ranks, on rank 0.
template <class SizeRange>
std::vector<std::uint64_t> summed(MPI_Comm world, const SizeRange& own) {
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

std::uint64_t CallCounts::all(CollectiveKind which) const {
    const auto first =
        dispositions.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(which) * disposition_names.size());
    return std::accumulate(first, first + static_cast<std::ptrdiff_t>(disposition_names.size()), std::uint64_t{0});
}

CallCounts CallAccount::gather(MPI_Comm world, std::uint64_t scratch_bytes) const {
    CallCounts counts;
    counts.dispositions = summed(world, dispositions_);
    counts.calls = summed(world, calls_);
    counts.bytes = summed(world, bytes_);
    mpi::check(MPI_Reduce(&scratch_bytes, &counts.scratch_bytes, 1, MPI_UINT64_T, MPI_MAX, 0, world), "MPI_Reduce");
    return counts;
}

namespace {

std::atomic<std::uint64_t> gone = 0;

} // namespace

std::uint64_t CommunicatorProfile::generation() { return gone.load(std::memory_order_acquire); }

CommunicatorProfile::~CommunicatorProfile() { gone.fetch_add(1, std::memory_order_release); }

CommunicatorProfile::CommunicatorProfile(MPI_Comm comm, const Profile& profile) {
    mpi::check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
    mpi::check(MPI_Comm_size(comm, &n_ranks_), "MPI_Comm_size");
    for_all_sizes_.fill(Disposition::not_in_profile);
    for (std::size_t line = 0; line < profile.reroutes.size(); ++line) {
        const Reroute& one = profile.reroutes[line];
        const auto which =
            static_cast<std::size_t>(std::ranges::find(collective_names, one.operation) - collective_names.begin());
        if (one.n == n_ranks_) {
            ranges_[which].push_back({one.from_bytes, one.to_bytes, line});
            for_all_sizes_[which] = Disposition::rerouted;
        } else if (for_all_sizes_[which] == Disposition::not_in_profile) {
            for_all_sizes_[which] = Disposition::other_n;
        }
    }
    for (auto& ranges : ranges_) {
        std::ranges::sort(ranges, {}, &SizeRange::from_bytes);
    }
    const bool is_between = mpi::is_between_groups(comm);
    if (is_between || !mpi::lies_in_world(comm)) {
        for_all_sizes_.fill(is_between ? Disposition::between_groups : Disposition::beyond_world);
    }
}

CommunicatorProfile::RerouteDecision CommunicatorProfile::answer(CollectiveKind which, std::uint64_t n_bytes) const {
    const auto& ranges = ranges_[static_cast<std::size_t>(which)];
    const auto behind = std::ranges::upper_bound(ranges, n_bytes, {}, &SizeRange::from_bytes);
    if (behind == ranges.begin() || std::prev(behind)->to_bytes < n_bytes) {
        return {Disposition::other_size, 0};
    }
    return {Disposition::rerouted, std::prev(behind)->line};
}

} // namespace ictus::redirect
