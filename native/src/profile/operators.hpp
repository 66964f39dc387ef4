// MPI's operators by name; a program's own are one.
#pragma once

#include <array>
#include <cstdint>
#include <mpi.h>
#include <string_view>

namespace ictus::profile {

inline constexpr std::array<std::string_view, 16> operator_names = {
    "",        "user-defined", "MPI_SUM",  "MPI_MAX",  "MPI_MIN",    "MPI_PROD",   "MPI_LAND",    "MPI_BAND",
    "MPI_LOR", "MPI_BOR",      "MPI_LXOR", "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC", "MPI_REPLACE", "MPI_NO_OP"};

[[nodiscard]] inline std::uint16_t number_of(MPI_Op op) {
    if (op == MPI_OP_NULL) {
        return 0;
    }
    static const MPI_Op known[] = {MPI_SUM, MPI_MAX,  MPI_MIN,  MPI_PROD,   MPI_LAND,   MPI_BAND,    MPI_LOR,
                                   MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP};
    static_assert(std::size(known) + 2 == operator_names.size());
    for (std::uint16_t i = 0; i < std::size(known); ++i) {
        if (known[i] == op) {
            return static_cast<std::uint16_t>(i + 2);
        }
    }
    return 1;
}

} // namespace ictus::profile
