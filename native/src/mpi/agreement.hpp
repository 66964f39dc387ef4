// Messages between ranks outside of all measurement, by the library's own collectives: values for rank 0, and errors
// that all ranks must know.
#pragma once

#include "base/error.hpp"

#include <mpi.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ictus::mpi {

/// Each rank's text, in rank order, on rank 0; empty elsewhere.
[[nodiscard]] std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& text);

/// Each rank's `values` (the same number on each), one rank after the other, on rank 0; empty elsewhere.
[[nodiscard]] std::vector<double> gather_values(MPI_Comm comm, std::span<const double> values);

/// Collective: throws the error of the first rank that has one on all ranks, because the others would wait for that
/// rank. The text names the rank.
void agree(MPI_Comm comm, const std::optional<Error>& own);

/// Collective: rank 0's text, on all ranks.
[[nodiscard]] std::string text_of_root(MPI_Comm comm, std::string text);

/// The same down a binomial tree of messages, in a program of our own: a broadcast that is wrong is to be found by its
/// measurement, and not to spoil the plan of it.
[[nodiscard]] std::string text_by_messages(MPI_Comm comm, std::string text);

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
