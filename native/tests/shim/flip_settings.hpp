// The settings of libictus-flip, from the environment:
//     ICTUS_FLIP_OPERATION  MPI name (`MPI_Bcast`, `MPI_Ibcast`, `MPI_Bcast_init`) or `*` for all; without it nothing
//                           is spoiled
//     ICTUS_FLIP_RANK       in the communicator or window of the call; default 0
//     ICTUS_FLIP_MODE       flip (default): one byte is inverted
//                           truncate: the last element was never written
//                           skip: nothing was written
//                           early: MPI_Barrier and MPI_Allreduce of one byte, in all forms and on all ranks, wait
//                           for nobody; nothing else is spoiled
//     ICTUS_FLIP_BYTE       for flip: offset of the byte, modulo the size of what was received; default 0
//     ICTUS_FLIP_CALL       which of the calls that it would be is spoiled, counted from 1; default all
//     ICTUS_FLIP_TAG        of messages between two ranks: which of them; default all
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ictus::shim {

struct FlipSettings {
    enum class Mode { flip, truncate, skip, early };

    std::string_view operation; ///< empty: nothing is spoiled
    long rank = 0;
    std::size_t byte = 0;
    Mode mode = Mode::flip;
    long call = 0;           ///< 0: all
    std::optional<long> tag; ///< none: all

    [[nodiscard]] bool names(std::string_view mpi_name) const { return operation == "*" || operation == mpi_name; }
};

/// Read once. Ends the launch with a message where a value is not allowed.
[[nodiscard]] const FlipSettings& flip_settings();

} // namespace ictus::shim
