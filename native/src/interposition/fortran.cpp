// Calls from Fortran. Some libraries' Fortran functions call the C functions, which are taken; Open MPI's do not, so
// that their calls are taken here. The two are distinguished by what must be known anyway: Open MPI's MPI_IN_PLACE and
// MPI_BOTTOM, which in Fortran are variables, whose addresses stand for them. Where others keep these is not known, so
// that a call with buffers is left to them; without them it can be taken here. Functions whose names end in f08ts get
// descriptors of buffers: MPICH gives them to calls of mpi_f08, and they call its C functions too.
#include "interposition/wrappers.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <dlfcn.h>
#include <initializer_list>

namespace ictus::interposition {
namespace {

/// A variable in the program or the library, under any of its names: their addresses.
class FortranConstant {
public:
    FortranConstant(std::initializer_list<const char*> names) {
        for (const char* const name : names) {
            addresses_[n_] = dlsym(RTLD_DEFAULT, name);
            n_ += addresses_[n_] != nullptr ? 1 : 0;
        }
    }
    [[nodiscard]] bool is_known() const { return n_ > 0; }
    [[nodiscard]] bool is(const void* address) const {
        const auto end = addresses_.begin() + n_;
        return std::find(addresses_.begin(), end, address) != end;
    }

private:
    std::array<void*, 5> addresses_{}; ///< one more than there are names
    int n_ = 0;
};

const FortranConstant& in_place() {
    static const FortranConstant found{"mpi_fortran_in_place", "mpi_fortran_in_place_", "mpi_fortran_in_place__",
                                       "MPI_FORTRAN_IN_PLACE"};
    return found;
}

const FortranConstant& bottom() {
    static const FortranConstant found{"mpi_fortran_bottom", "mpi_fortran_bottom_", "mpi_fortran_bottom__",
                                       "MPI_FORTRAN_BOTTOM"};
    return found;
}

thread_local const void* site_in_fortran = nullptr;

/// While it lives, C functions that this thread calls are called from this site.
class SiteScope {
public:
    explicit SiteScope(const void* site) { site_in_fortran = site; }
    ~SiteScope() { site_in_fortran = nullptr; }
    SiteScope(const SiteScope&) = delete;
    SiteScope& operator=(const SiteScope&) = delete;
};

constexpr std::size_t most_arguments = 16;

template <class>
using Address = void*;

template <std::size_t... i>
void call_with(void* function, void* const* addresses, MPI_Fint* error, std::index_sequence<i...>) {
    using Function = void(Address<std::integral_constant<std::size_t, i>>..., MPI_Fint*);
    reinterpret_cast<Function*>(function)(addresses[i]..., error);
}

template <std::size_t... n>
constexpr auto with_arguments(std::index_sequence<n...>) {
    using WithArguments = void (*)(void*, void* const*, MPI_Fint*);
    return std::array<WithArguments, sizeof...(n)>{[](void* function, void* const* addresses, MPI_Fint* error) {
        call_with(function, addresses, error, std::make_index_sequence<n>());
    }...};
}

/// A function of the MPI library with these arguments and an error code.
void call(void* function, void* const* addresses, std::size_t n_arguments, MPI_Fint* error) {
    static constexpr auto forms = with_arguments(std::make_index_sequence<most_arguments + 1>());
    forms.at(n_arguments)(function, addresses, error);
}

/// The error argument of mpi_f08 is optional.
void give(MPI_Fint* error, int code) {
    if (error != nullptr) {
        *error = code;
    }
}

} // namespace

void* argument::buffer_of(void* fortran) {
    if (in_place().is(fortran)) {
        return MPI_IN_PLACE;
    }
    return bottom().is(fortran) ? MPI_BOTTOM : fortran;
}

const void* outer_site(const void* site) noexcept { return site_in_fortran != nullptr ? site_in_fortran : site; }

void* FortranSymbol::find() {
    const std::string plain = std::string("mpi_") + lower_;
    std::string upper = plain;
    std::ranges::transform(upper, upper.begin(), [](unsigned char one) { return std::toupper(one); });
    std::array<std::string, 4> names{plain + "_", plain, plain + "__", upper};
    switch (name_) {
    case FortranName::classic: break;
    case FortranName::f08: names = {plain + "_f08_"}; break;
    case FortranName::f08ts: names = {plain + "_f08ts_"}; break;
    case FortranName::f08ts_large: names = {plain + "_f08ts_large_"}; break;
    }
    void* found = nullptr;
    for (const std::string& name : names) {
        found = found == nullptr && !name.empty() ? dlsym(RTLD_NEXT, name.c_str()) : found;
    }
    found_.store(found, std::memory_order_release);
    return found;
}

void call_from_fortran(const FunctionInFortran& function, FortranSymbol& symbol, const void* site,
                       void* const* addresses, MPI_Fint* error) noexcept {
    void* const library = symbol.address();
    const bool has_descriptors = symbol.name() >= FortranName::f08ts;
    if (library == nullptr && (function.in_c == nullptr || has_descriptors)) {
        give(error, MPI_ERR_UNSUPPORTED_OPERATION); // no Fortran program can be linked without it
        return;
    }
    const auto library_call = [&] {
        MPI_Fint code = MPI_SUCCESS;
        if (library == nullptr) {
            return function.in_c(addresses);
        }
        call(library, addresses, function.n_arguments, &code);
        return static_cast<int>(code);
    };
    const bool is_taken_in_c =
        library != nullptr && (has_descriptors || (function.has_buffer && !in_place().is_known()));
    if (inside || is_taken_in_c) {
        const SiteScope scope(site);
        give(error, library_call());
        return;
    }
    CallFacts facts = function.kinds();
    for (std::size_t i = 0; i < function.n_arguments; ++i) {
        if (function.notes[i] != nullptr) {
            function.notes[i](facts, addresses[i]);
        }
    }
    give(error, take(function.call, facts, site, LibraryCall(library_call)));
}

namespace {

/// By the library's Fortran function, which must learn the Fortran constants; `in_c` where it has none.
template <class InC>
int begin_or_end(FortranSymbol& symbol, std::initializer_list<void*> addresses, InC in_c) {
    void* const library = symbol.address();
    if (library == nullptr) {
        return in_c();
    }
    MPI_Fint code = MPI_SUCCESS;
    call(library, addresses.begin(), addresses.size(), &code);
    return code;
}

} // namespace

} // namespace ictus::interposition

using namespace ictus::interposition;

#define ICTUS_BEGIN_AND_END(INIT, INIT_THREAD, FINALIZE, form)                                                         \
    void INIT(MPI_Fint* error) {                                                                                       \
        static constinit FortranSymbol symbol("init", FortranName::form);                                              \
        give(error, begin(begin_or_end(symbol, {}, [] { return PMPI_Init(nullptr, nullptr); })));                      \
    }                                                                                                                  \
    void INIT_THREAD(MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {                                        \
        static constinit FortranSymbol symbol("init_thread", FortranName::form);                                       \
        give(error, begin(begin_or_end(symbol, {required, provided},                                                   \
                                       [&] { return PMPI_Init_thread(nullptr, nullptr, *required, provided); })));     \
    }                                                                                                                  \
    void FINALIZE(MPI_Fint* error) {                                                                                   \
        static constinit FortranSymbol symbol("finalize", FortranName::form);                                          \
        end();                                                                                                         \
        give(error, begin_or_end(symbol, {}, [] { return PMPI_Finalize(); }));                                         \
    }
extern "C" {

ICTUS_BEGIN_AND_END(mpi_init_, mpi_init_thread_, mpi_finalize_, classic)
ICTUS_BEGIN_AND_END(mpi_init_f08_, mpi_init_thread_f08_, mpi_finalize_f08_, f08)
ICTUS_CLASSIC_NAMES(init, INIT, (MPI_Fint * error))
ICTUS_CLASSIC_NAMES(init_thread, INIT_THREAD, (MPI_Fint * required, MPI_Fint* provided, MPI_Fint* error))
ICTUS_CLASSIC_NAMES(finalize, FINALIZE, (MPI_Fint * error))

} // extern "C"
