// One call of a function that a library takes the place of: what it says, and how it goes on to the MPI library.
#pragma once

#include "interposition/argument.hpp"
#include "interposition/functions.hpp"
#include "interposition/program.hpp"

#include <atomic>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace ictus::interposition {

/// The call by the MPI library, with the program's arguments. Lives as long as they do.
class LibraryCall {
public:
    template <class Call>
    explicit LibraryCall(const Call& call)
        : function_([](const void* of) { return (*static_cast<const Call*>(of))(); }), call_(&call) {}
    int operator()() const { return function_(call_); }

private:
    int (*function_)(const void*);
    const void* call_;
};

/// Defined by each library: the call, by the MPI library or otherwise; returns MPI's code. `site` is where it was
/// called from. Calls of this thread before its end are those of an OwnCallsScope, if it makes one.
int take(CallId call, const CallFacts& facts, const void* site, const LibraryCall& library_call) noexcept;

/// What the arguments' kinds alone say.
template <class... Kinds>
[[nodiscard]] inline CallFacts facts_of_kinds() {
    using namespace argument;
    CallFacts facts;
    facts.has_receive_side = ((std::is_same_v<Kinds, ReceiveType> || std::is_same_v<Kinds, ReceiveTypes>) || ...);
    const bool is_of_one_unit = (std::is_same_v<Kinds, Type> || ...) && !(std::is_same_v<Kinds, Count> || ...);
    facts.send_count = is_of_one_unit ? 1 : 0;
    return facts;
}

/// From C.
template <class Kind>
void note(CallFacts& facts, typename Kind::C value) {
    if constexpr (requires { Kind::note(facts, value); }) {
        Kind::note(facts, value);
    }
}

/// `Form` is that of the arguments: with large counts, or as they are.
template <CallId call, auto library, template <class> class Form, class... Kinds>
[[gnu::always_inline]] inline int call_from_c(const void* site, typename Form<Kinds>::C... values) {
    if (inside) {
        return library(values...);
    }
    CallFacts facts = facts_of_kinds<Kinds...>();
    (note<Form<Kinds>>(facts, values), ...);
    const auto library_call = [values...] { return library(values...); };
    return take(call, facts, site, LibraryCall(library_call));
}
template <class Kind>
using AsIs = Kind;

/// A function of the list, for calls from Fortran: all arguments are addresses.
struct FunctionInFortran {
    using Note = void (*)(CallFacts&, void* address);

    CallId call;
    std::size_t n_arguments; ///< without the error code
    const Note* notes;       ///< of each; null: it says nothing of the call
    CallFacts (*kinds)();
    bool has_buffer;
    int (*in_c)(void* const* addresses); ///< MPI's C function; null: not all arguments are known in C
};

template <class Kind>
concept IsKnownInC = requires(void* address) { Kind::of(address); };

template <class Kind>
constexpr FunctionInFortran::Note note_fortran() {
    if constexpr (requires(CallFacts facts, void* address) { Kind::note_fortran(facts, address); }) {
        return [](CallFacts& facts, void* address) { Kind::note_fortran(facts, address); };
    } else if constexpr (IsKnownInC<Kind>) {
        return [](CallFacts& facts, void* address) { Kind::note(facts, Kind::of(address)); };
    } else {
        return nullptr;
    }
}
template <class... Kinds>
inline constexpr FunctionInFortran::Note fortran_notes[] = {note_fortran<Kinds>()...};

template <auto library, class... Kinds>
constexpr auto in_c() -> int (*)(void* const*) {
    if constexpr ((IsKnownInC<Kinds> && ...)) {
        return [](void* const* addresses) {
            return [&]<std::size_t... i>(std::index_sequence<i...>) {
                return library(Kinds::of(addresses[i])...);
            }(std::index_sequence_for<Kinds...>());
        };
    } else {
        return nullptr;
    }
}

template <class Kind>
inline constexpr bool is_buffer =
    std::is_base_of_v<argument::Send, Kind> || std::is_base_of_v<argument::Receive, Kind> ||
    std::is_same_v<argument::ReadBuffer, Kind>;
template <CallId call, auto library, class... Kinds>
inline constexpr FunctionInFortran in_fortran{call,
                                              sizeof...(Kinds),
                                              fortran_notes<Kinds...>,
                                              facts_of_kinds<Kinds...>,
                                              (is_buffer<Kinds> || ...),
                                              in_c<library, Kinds...>()};

/// How Fortran names a function, besides its own name.
enum class FortranName {
    classic,     ///< mpif.h and the module mpi: mpi_bcast_, mpi_bcast, mpi_bcast__ or MPI_BCAST, as the compiler does
    f08,         ///< mpi_f08: mpi_bcast_f08_
    f08ts,       ///< with descriptors of buffers: mpi_bcast_f08ts_
    f08ts_large, ///< and large counts: mpi_bcast_f08ts_large_
};

/// The MPI library's function behind one of ours: any of its classic names is the same function.
class FortranSymbol {
public:
    constexpr FortranSymbol(const char* lower, FortranName name) : lower_(lower), name_(name) {}
    [[nodiscard]] FortranName name() const { return name_; }
    /// Null in a library without Fortran.
    [[nodiscard]] void* address() {
        void* const found = found_.load(std::memory_order_acquire);
        return found != this ? found : find();
    }

private:
    void* find();

    const char* lower_;
    FortranName name_;
    std::atomic<void*> found_ = this; ///< not looked for yet
};

/// From Fortran; its error argument is optional in mpi_f08.
void call_from_fortran(const FunctionInFortran& function, FortranSymbol& symbol, const void* site,
                       void* const* addresses, MPI_Fint* error) noexcept;

/// Where a C function was called from: where the Fortran function was that called it, if one did.
[[nodiscard]] const void* outer_site(const void* site) noexcept;

} // namespace ictus::interposition
