#include "redirect/account.hpp"

#include "mpi/check.hpp"

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

} // namespace ictus::redirect
