// MPI's functions as types, which exist even where a library lacks the function. MPI 3.1 is required; newer functions
// are used where mpi.h declares them. The compiler decides this: a call with dependent argument types is looked up when
// it is instantiated, and a failure inside a requires expression is no error. So no build system has to find it out.
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

/// A type `type` for MPI's `function` and `function_c`, its form for large counts. Each can be called exactly where
/// mpi.h declares it.
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
