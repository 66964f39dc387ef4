// MPI's functions as types, which exist even where a library lacks the function. MPI 3.1 is required; newer functions
// are used where mpi.h declares them. The compiler decides this: a call with dependent argument types is looked up when
// it is instantiated, and a failure inside a requires expression is no error. So no build system has to find it out.
#pragma once

#include "base/bound_call.hpp"

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

// The address of a function that mpi.h may not declare: each name is declared here too, in a namespace of its own, with
// a parameter that nothing has. Both are then one overload set, of which BoundCall takes what returns an int.
namespace ictus_undeclared {
struct Nothing;
}
namespace ictus::operation {
using namespace ictus_undeclared;
}

#define ICTUS_MAY_LACK(function)                                                                                       \
    namespace ictus_undeclared {                                                                                       \
    void function(Nothing);                                                                                            \
    void function##_c(Nothing);                                                                                        \
    }

/// A type that binds the calls of MPI's `function` and of `function_c`, its form for large counts. Each can be bound
/// exactly where mpi.h declares it.
#define ICTUS_BINDS(type, function)                                                                                    \
    struct type {                                                                                                      \
        static constexpr std::string_view mpi_name = #function;                                                        \
        static constexpr auto lowered = ::ictus::operation::lower_case(#function);                                     \
        static constexpr std::string_view name = ::ictus::operation::own_name(lowered);                                \
        template <class... Arguments>                                                                                  \
        static auto bind(Arguments... arguments) -> decltype(::ictus::BoundCall(&function, arguments...)) {            \
            return ::ictus::BoundCall(&function, arguments...);                                                        \
        }                                                                                                              \
        template <class... Arguments>                                                                                  \
        static auto bind_large(Arguments... arguments) -> decltype(::ictus::BoundCall(&function##_c, arguments...)) {  \
            return ::ictus::BoundCall(&function##_c, arguments...);                                                    \
        }                                                                                                              \
    };

/// The same as a type of the file that uses it, outside of all namespaces.
#define ICTUS_MPI_FUNCTION(type, function)                                                                             \
    ICTUS_MAY_LACK(function)                                                                                           \
    namespace ictus::operation {                                                                                       \
    namespace {                                                                                                        \
    ICTUS_BINDS(type, function)                                                                                        \
    }                                                                                                                  \
    }                                                                                                                  \
    static_assert(true)

/// A type for the functions of a collective in its three forms.
#define ICTUS_FORMS(type, blocking, nonblocking, persistent)                                                           \
    ICTUS_MAY_LACK(blocking)                                                                                           \
    ICTUS_MAY_LACK(nonblocking)                                                                                        \
    ICTUS_MAY_LACK(persistent)                                                                                         \
    namespace ictus::operation {                                                                                       \
    namespace {                                                                                                        \
    struct type {                                                                                                      \
        ICTUS_BINDS(Blocking, blocking)                                                                                \
        ICTUS_BINDS(Nonblocking, nonblocking)                                                                          \
        ICTUS_BINDS(Persistent, persistent)                                                                            \
    };                                                                                                                 \
    }                                                                                                                  \
    }                                                                                                                  \
    static_assert(true)
