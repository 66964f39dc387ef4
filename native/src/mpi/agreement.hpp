// What one rank finds wrong, all ranks must hear of: otherwise the others wait for it.
#pragma once

#include "base/error.hpp"

#include <mpi.h>
#include <optional>
#include <string>

namespace ictus::mpi {

/// Collective: throws, on all ranks alike, the error of the first rank that has one; its text tells which.
void agree(MPI_Comm comm, const std::optional<Error>& own);

/// Collective: rank 0's text, on all ranks.
[[nodiscard]] std::string text_of_root(MPI_Comm comm, std::string text);

/// Collective: what `f` returns, if it throws no Error on any rank.
template <class F>
auto agreed(MPI_Comm comm, F f) {
    std::optional<decltype(f())> result;
    std::optional<Error> own;
    try {
        result.emplace(f());
    } catch (const Error& error) {
        own = error;
    }
    agree(comm, own);
    return std::move(*result);
}

} // namespace ictus::mpi
