// MPI's functions as types, known by name also where a library lacks them: MPI 3.1 is required, what is newer is used
// where mpi.h declares it. The compiler itself decides this (a call with dependent argument types is looked up when it
// is instantiated, and in a requires expression a failure is no error), so that it holds however the core is built.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace ictus::operation {

template <std::size_t n>
constexpr std::array<char, n> lower_case(const char (&text)[n]) {
    std::array<char, n> lowered{};
    for (std::size_t i = 0; i < n; ++i) {
        lowered[i] = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    }
    return lowered;
}

/// Our name of a function: MPI's own in lower case, without `MPI_`.
template <std::size_t n>
constexpr std::string_view own_name(const std::array<char, n>& lowered) {
    return std::string_view(lowered.data(), n - 1).substr(std::string_view("MPI_").size());
}

} // namespace ictus::operation

/// A type `type` for MPI's `function` and its twin for large counts, `function_c`. Each can be called exactly where it
/// is declared.
#define ICTUS_MPI_FUNCTION(type, function)                                                                             \
    struct type {                                                                                                      \
        static constexpr std::string_view mpi_name = #function;                                                        \
        static constexpr auto lowered = ::ictus::operation::lower_case(#function);                                     \
        static constexpr std::string_view name = ::ictus::operation::own_name(lowered);                                \
        template <class... Arguments>                                                                                  \
        static auto call(Arguments... arguments) -> decltype(function(arguments...)) {                                 \
            return function(arguments...);                                                                             \
        }                                                                                                              \
        template <class... Arguments>                                                                                  \
        static auto call_large(Arguments... arguments) -> decltype(function##_c(arguments...)) {                       \
            return function##_c(arguments...);                                                                         \
        }                                                                                                              \
    }

/// A type `type` for the functions of a collective in its three forms.
#define ICTUS_FORMS(type, blocking, nonblocking, persistent)                                                           \
    struct type {                                                                                                      \
        ICTUS_MPI_FUNCTION(Blocking, blocking);                                                                        \
        ICTUS_MPI_FUNCTION(Nonblocking, nonblocking);                                                                  \
        ICTUS_MPI_FUNCTION(Persistent, persistent);                                                                    \
    }
