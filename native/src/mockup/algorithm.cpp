#include "mockup/algorithm.hpp"

#include <algorithm>
#include <numeric>

namespace ictus::mockup {
namespace {

/// From where MPI counts to the first byte of data: below it where the extent or the lower bound is negative.
MPI_Aint lowest(const Room& room) {
    const MPI_Aint last = room.units.extent * (static_cast<MPI_Aint>(room.n_units) - 1);
    return std::min<MPI_Aint>(0, last) + room.units.first;
}

} // namespace

std::size_t Room::n_bytes() const {
    if (n_units == 0) {
        return 0;
    }
    const MPI_Aint last = units.extent * (static_cast<MPI_Aint>(n_units) - 1);
    return static_cast<std::size_t>((last < 0 ? -last : last) + units.span);
}

std::byte* Room::in(std::byte* memory) const { return n_units == 0 ? memory : memory - lowest(*this); }

int copy_padded(std::byte* to, const Arguments& a, const Scratch& scratch) {
    int code = copy({to, a.count, a.units}, a.source(), scratch.packed, a.comm);
    for (int unit = a.count; unit < whole_blocks(a.count, a.n_ranks) && code == MPI_SUCCESS; ++unit) {
        code = copy({a.units.at(to, unit), 1, a.units}, {a.own, 1, a.units}, scratch.packed, a.comm);
    }
    return code;
}

int first_of_own_block(const Arguments& a) { return std::accumulate(a.counts, a.counts + a.rank, 0); }

int total_of_blocks(const Arguments& a) { return std::accumulate(a.counts, a.counts + a.n_ranks, 0); }

} // namespace ictus::mockup
