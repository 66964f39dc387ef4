#include "preload/account.hpp"

#include "mpi/check.hpp"

#include <algorithm>
#include <cmath>

namespace ictus::preload {
namespace {

struct Gathered {
    std::vector<Tally> tallies;
    std::vector<int> counts; ///< a rank
};

Gathered gather_tallies(MPI_Comm world, std::span<const Tally> own) {
    int rank = 0;
    int size = 0;
    mpi::check(MPI_Comm_rank(world, &rank), "MPI_Comm_rank");
    mpi::check(MPI_Comm_size(world, &size), "MPI_Comm_size");
    Gathered all;
    all.counts.resize(rank == 0 ? static_cast<std::size_t>(size) : 0);
    const int count = static_cast<int>(own.size());
    mpi::check(MPI_Gather(&count, 1, MPI_INT, all.counts.data(), 1, MPI_INT, 0, world), "MPI_Gather");
    MPI_Datatype type = MPI_DATATYPE_NULL; // so that counts stay small
    mpi::check(MPI_Type_contiguous(static_cast<int>(sizeof(Tally)), MPI_BYTE, &type), "MPI_Type_contiguous");
    mpi::check(MPI_Type_commit(&type), "MPI_Type_commit");
    std::vector<int> places;
    int total = 0;
    for (const int one : all.counts) {
        places.push_back(total);
        total += one;
    }
    all.tallies.resize(static_cast<std::size_t>(total));
    mpi::check(
        MPI_Gatherv(own.data(), count, type, all.tallies.data(), all.counts.data(), places.data(), type, 0, world),
        "MPI_Gatherv");
    MPI_Type_free(&type);
    return all;
}

bool same_communicator(const Tally& a, const Tally& b) { return a.creator == b.creator && a.number == b.number; }

bool created_before(const Tally& a, const Tally& b) {
    return a.creator != b.creator ? a.creator < b.creator : a.number < b.number;
}

/// One a communicator, in the order of their creators.
std::vector<Tally> distinct(std::vector<Tally> tallies) {
    std::sort(tallies.begin(), tallies.end(), created_before);
    tallies.erase(std::unique(tallies.begin(), tallies.end(), same_communicator), tallies.end());
    return tallies;
}

void add(CommunicatorRow& row, const Tally& one) {
    row.kept = row.calls == 0 ? one.kept : std::min(row.kept, one.kept);
    row.communicators += one.communicators;
    row.barriers += one.barriers;
    row.calls += one.calls;
    row.missed += one.missed;
    row.bound_in_windows = weaker_bound(row.bound_in_windows, one.bound_in_windows);
}

} // namespace

double weaker_bound(double a, double b) { return std::isnan(a) || a > b ? a : b; }

void add_together(Tally& into, const Tally& one) {
    into.creator = together;
    into.number = 0;
    into.n_ranks = 0;
    into.communicators += one.communicators;
    into.barriers += one.barriers;
    into.calls += one.calls;
    into.missed += one.missed;
    into.bound_in_windows = weaker_bound(into.bound_in_windows, one.bound_in_windows);
    into.kept = 0;
}

Account gather_account(MPI_Comm world, std::span<const Tally> own, std::uint64_t left) {
    Account account;
    mpi::check(MPI_Reduce(&left, &account.left, 1, MPI_UINT64_T, MPI_SUM, 0, world), "MPI_Reduce");
    const Gathered all = gather_tallies(world, own);
    const std::vector<Tally> communicators = distinct(all.tallies);
    for (const Tally& one : communicators) {
        account.rows.push_back({.name = one.name, .n_ranks = one.n_ranks, .stride = one.stride});
    }
    std::size_t next = 0;
    for (std::size_t rank = 0; rank < all.counts.size(); ++rank) {
        for (int i = 0; i < all.counts[rank]; ++i, ++next) {
            const Tally& one = all.tallies[next];
            const auto found = std::lower_bound(communicators.begin(), communicators.end(), one, created_before);
            const auto row = static_cast<std::size_t>(found - communicators.begin());
            add(account.rows[row], one);
            account.shares.push_back({static_cast<int>(rank), row, one.kept});
        }
    }
    return account;
}

} // namespace ictus::preload
