#include "mockup/algorithm.hpp"

#include "mpi/handles.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>

namespace ictus::mockup {
namespace {

bool is_named(MPI_Datatype type) {
    int n_integers = 0;
    int n_addresses = 0;
    int n_types = 0;
    int combiner = MPI_COMBINER_NAMED;
    mpi::check(MPI_Type_get_envelope(type, &n_integers, &n_addresses, &n_types, &combiner), "MPI_Type_get_envelope");
    return combiner == MPI_COMBINER_NAMED;
}

bool is_plain(MPI_Datatype type);

/// Of a datatype that repeats another, or is a duplicate of it.
bool repeats_plain(MPI_Datatype type, int n_integers) {
    std::array<int, 1> integers{};
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    mpi::check(MPI_Type_get_contents(type, n_integers, 0, 1, integers.data(), nullptr, &inner),
               "MPI_Type_get_contents");
    const bool answer = is_plain(inner);
    if (!is_named(inner)) { // the contents of a derived one are new handles
        MPI_Type_free(&inner);
    }
    return answer;
}

bool is_plain(MPI_Datatype type) {
    int n_integers = 0;
    int n_addresses = 0;
    int n_types = 0;
    int combiner = MPI_COMBINER_NAMED;
    mpi::check(MPI_Type_get_envelope(type, &n_integers, &n_addresses, &n_types, &combiner), "MPI_Type_get_envelope");
    if (combiner == MPI_COMBINER_CONTIGUOUS || combiner == MPI_COMBINER_DUP) {
        return repeats_plain(type, n_integers);
    }
    int size = 0;
    MPI_Aint first = 0;
    MPI_Aint extent = 0;
    mpi::check(MPI_Type_size(type, &size), "MPI_Type_size");
    mpi::check(MPI_Type_get_extent(type, &first, &extent), "MPI_Type_get_extent");
    return combiner == MPI_COMBINER_NAMED && first == 0 && extent == size;
}

/// Whether memory alone says where each byte goes.
bool is_straight(const Units& to, const Units& from) {
    return (to.is_plain && from.is_plain) || (to.type == from.type && to.is_dense());
}

Units query_units(MPI_Datatype type) {
    Units units;
    units.type = type;
    int size = 0;
    mpi::check(MPI_Type_size(type, &size), "MPI_Type_size");
    units.size_bytes = size == MPI_UNDEFINED ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(size);
    MPI_Aint bound = 0;
    mpi::check(MPI_Type_get_extent(type, &bound, &units.extent), "MPI_Type_get_extent");
    mpi::check(MPI_Type_get_true_extent(type, &units.first, &units.span), "MPI_Type_get_true_extent");
    units.is_plain = is_plain(type);
    return units;
}

/// The units of the last few of MPI's own datatypes, which are never freed, so that their properties stay valid.
class RecentUnits {
public:
    [[nodiscard]] const Units* find(MPI_Datatype type) const {
        const auto found = std::ranges::find(units_, type, &Units::type);
        return found != units_.end() && type != MPI_DATATYPE_NULL ? &*found : nullptr;
    }
    const Units& keep(const Units& units) {
        Units& place = units_[next_];
        next_ = (next_ + 1) % units_.size();
        return place = units;
    }
    /// Of a type that the program may free.
    const Units& keep_once(const Units& units) { return once_ = units; }

private:
    std::array<Units, 4> units_{};
    std::size_t next_ = 0;
    Units once_;
};

} // namespace

const Units& Units::of(MPI_Datatype type) {
    thread_local RecentUnits recent;
    if (const Units* const found = recent.find(type)) {
        return *found;
    }
    const Units units = query_units(type);
    return is_named(type) ? recent.keep(units) : recent.keep_once(units);
}

Units Units::bytes() { return {MPI_BYTE, 1, 1, 0, 1, true}; }

std::size_t packed_bytes(const Units& to, const Units& from, int count) {
    const bool ends_suffice = is_straight(to, from) || to.is_plain || from.is_plain;
    return ends_suffice ? 0 : static_cast<std::size_t>(count) * from.size_bytes;
}

int copy(const Target& to, const Source& from, std::byte* packed, MPI_Comm comm) {
    if (is_straight(to.units, from.units)) {
        const std::size_t n_bytes = static_cast<std::size_t>(from.count) * from.units.size_bytes;
        if (n_bytes > 0) {
            std::memcpy(to.data + to.units.first, from.data + from.units.first, n_bytes);
        }
        return MPI_SUCCESS;
    }
    if (to.units.is_plain) {
        return pack(to.data, from, comm);
    }
    if (from.units.is_plain) {
        return unpack(to, from.data, comm);
    }
    const int code = pack(packed, from, comm);
    return code == MPI_SUCCESS ? unpack(to, packed, comm) : code;
}

int pack(std::byte* to, const Source& from, MPI_Comm comm) {
    const std::size_t n_bytes = static_cast<std::size_t>(from.count) * from.units.size_bytes;
    if (from.units.is_plain) {
        if (n_bytes > 0) {
            std::memcpy(to, from.data, n_bytes);
        }
        return MPI_SUCCESS;
    }
    int position = 0;
    return MPI_Pack(from.data, from.count, from.units.type, to, static_cast<int>(n_bytes), &position, comm);
}

int unpack(const Target& to, const std::byte* from, MPI_Comm comm) {
    const std::size_t n_bytes = static_cast<std::size_t>(to.count) * to.units.size_bytes;
    if (to.units.is_plain) {
        if (n_bytes > 0) {
            std::memcpy(to.data, from, n_bytes);
        }
        return MPI_SUCCESS;
    }
    int position = 0;
    return MPI_Unpack(from, static_cast<int>(n_bytes), &position, to.data, to.count, to.units.type, comm);
}

namespace {

/// From where MPI counts to the first byte of data: below it where the extent or the lower bound is negative.
MPI_Aint lowest(const UnitMemory& room) {
    const MPI_Aint last = room.units.extent * (static_cast<MPI_Aint>(room.n_units) - 1);
    return std::min<MPI_Aint>(0, last) + room.units.first;
}

} // namespace

std::size_t UnitMemory::n_bytes() const {
    if (n_units == 0) {
        return 0;
    }
    const MPI_Aint last = units.extent * (static_cast<MPI_Aint>(n_units) - 1);
    return static_cast<std::size_t>((last < 0 ? -last : last) + units.span);
}

std::byte* UnitMemory::in(std::byte* memory) const { return n_units == 0 ? memory : memory - lowest(*this); }

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
