#include "interface/isomorphic_blocks.hpp"

#include "interface/mpi_error.hpp"
#include "mpi/handles.hpp"

#include <algorithm>
#include <cstdint>

namespace ictus::isomorphic {
namespace {

using sparse::TypedBlock;

std::int64_t bytes_in(const TypedBlock& block) {
    MPI_Count size = 0;
    mpi::check(MPI_Type_size_x(block.type, &size), "MPI_Type_size_x");
    return static_cast<std::int64_t>(size) * block.count;
}

MPI_Aint extent_of(MPI_Datatype type) {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    mpi::check(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
    return extent;
}

} // namespace

void refuse(const std::string& what) { throw MpiError(MPI_ERR_ARG, what); }

BlockReader::BlockReader(std::string what, const void* buffer)
    : what_(std::move(what)), buffer_(static_cast<std::byte*>(const_cast<void*>(buffer))) { // as MPI's own calls do
    if (buffer == MPI_IN_PLACE) {
        refuse(what_ + " is MPI_IN_PLACE; the send and the receive buffer must be separate");
    }
}

Blocks BlockReader::equal(std::size_t n, int count, MPI_Datatype type) const {
    Blocks blocks;
    for (std::size_t i = 0; i < n; ++i) {
        check(i, count, type);
        blocks.push_back(at(extent_of(type) * count * static_cast<MPI_Aint>(i), count, type));
    }
    return blocks;
}

Blocks BlockReader::varied(std::size_t n, const int* counts, const int* places, MPI_Datatype type) const {
    require_lists(n, counts != nullptr && places != nullptr);
    Blocks blocks;
    for (std::size_t i = 0; i < n; ++i) {
        check(i, counts[i], type);
        blocks.push_back(at(extent_of(type) * places[i], counts[i], type));
    }
    return blocks;
}

Blocks BlockReader::typed(std::size_t n, const int* counts, const MPI_Aint* places, const MPI_Datatype* types) const {
    require_lists(n, counts != nullptr && places != nullptr && types != nullptr);
    Blocks blocks;
    for (std::size_t i = 0; i < n; ++i) {
        check(i, counts[i], types[i]);
        blocks.push_back(at(places[i], counts[i], types[i]));
    }
    return blocks;
}

void BlockReader::require_lists(std::size_t n, bool are_there) const {
    if (n > 0 && !are_there) {
        refuse(what_ + ": its counts, displacements or datatypes are NULL");
    }
}

void BlockReader::check(std::size_t i, int count, MPI_Datatype type) const {
    if (count < 0 || type == MPI_DATATYPE_NULL) {
        refuse(what_ + ", block " + std::to_string(i) + ": " +
               (count < 0 ? "its count is " + std::to_string(count) + "; it must be 0 or more"
                          : "its datatype is MPI_DATATYPE_NULL"));
    }
}

TypedBlock BlockReader::at(MPI_Aint place, int count, MPI_Datatype type) const {
    return {buffer_ + place, count, type};
}

void require_sizes(const Blocks& sent, const Blocks& received, const std::string& caller) {
    for (std::size_t i = 0; i < received.size(); ++i) {
        const std::int64_t out = bytes_in(sent.size() == received.size() ? sent[i] : sent.front());
        const std::int64_t in = bytes_in(received[i]);
        if (out != in) {
            refuse(caller + ": block " + std::to_string(i) + " has " + std::to_string(out) + " bytes to send and " +
                   std::to_string(in) + " to receive; both must be the same, on all processes");
        }
    }
}

MPI_Datatype resting_type(const Blocks& sent, const Blocks& received) {
    const MPI_Datatype first = sent.empty() ? MPI_BYTE : sent.front().type;
    const auto has_it = [first](const TypedBlock& block) { return block.type == first; };
    const bool is_one = std::ranges::all_of(sent, has_it) && std::ranges::all_of(received, has_it);
    return is_one && bytes_in({nullptr, 1, first}) > 0 ? first : MPI_BYTE;
}

} // namespace ictus::isomorphic
