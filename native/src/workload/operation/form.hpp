// The forms of an operation: blocking, nonblocking, persistent, large counts; and the faults known of a library's.
#pragma once

#include "base/error.hpp"
#include "mpi/handles.hpp"
#include "workload/operation/demand.hpp"
#include "workload/operation/mpi_function.hpp"
#include "workload/operation/operation.hpp"

#include <mpi.h>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ictus::operation {

// Calls that a release of a library gets wrong with any arguments. They are not measured, because a wrong result has no
// latency; `--op all` leaves them out like calls that the library lacks. tests/programs/persistent_faults.c, a plain
// MPI program, shows each fault, and shows when a release no longer has it.

struct KnownFault {
    std::string_view library; ///< `Intel MPI 2021.18.1`
    std::string_view what;    ///< what the call does wrong
};

/// The known fault of this function in the library whose mpi.h the core is compiled with; empty: none.
constexpr KnownFault known_fault([[maybe_unused]] std::string_view mpi_name) {
#if defined(I_MPI_VERSION) &&                                                                                          \
    I_MPI_NUMVERSION < 20211900000 // seen in 2021.14.2 and 2021.18.1; later releases are untested
    constexpr std::string_view library = "Intel MPI " I_MPI_VERSION;
    if (mpi_name == "MPI_Gather_init") {
        return {library, "delivers what the send buffers held when the request was made, and nothing of the root's"};
    }
    if (mpi_name == "MPI_Allgather_init") {
        return {library,
                "is right only at its first start: with 2, 4, 8, ... processes blocks are missing at later ones"};
    }
    if (mpi_name == "MPI_Scatter_init") {
        return {library, "is right only at its first start: the second start delivers nothing to the second of 2 "
                         "processes, and ends a program of more processes"};
    }
#endif
    return {};
}

// The three forms of a collective from one description of it. The base has the buffers, knows what must arrive, and
// passes its arguments to `take`:
//     template <class Count, class Take> auto with_arguments(Take take) const {
//         return take(send(), count<Count>(), type(), ..., comm());
//     }
// where Count is int or, in MPI 4's calls for large counts, MPI_Count. A form appends the further arguments of its
// call.

template <class Function, class... Arguments>
concept Callable = requires(Arguments... arguments) { Function::bind(arguments...); };
template <class Function, class... Arguments>
concept CallableLarge = requires(Arguments... arguments) { Function::bind_large(arguments...); };

/// Takes arguments; its result type says whether mpi.h declares the function for these, followed by `More`.
template <class Function, class... More>
struct Inquiry {
    template <class... Arguments>
    auto operator()(Arguments...) const {
        return std::bool_constant<Callable<Function, Arguments..., More...>>();
    }
};
/// The same for the function for large counts.
template <class Function, class... More>
struct LargeInquiry {
    template <class... Arguments>
    auto operator()(Arguments...) const {
        return std::bool_constant<CallableLarge<Function, Arguments..., More...>>();
    }
};

template <class Base, class Count, class Inquiry>
constexpr bool affirmed = decltype(std::declval<const Base&>().template with_arguments<Count>(Inquiry()))::value;
template <class Function, class Base, class... More>
constexpr bool declared = affirmed<Base, int, Inquiry<Function, More...>>;
template <class Function, class Base, class... More>
constexpr bool declared_large = affirmed<Base, MPI_Count, LargeInquiry<Function, More...>>;

template <class Function, class Base, class... More>
BoundCall bind_to(const Base& base, More... more) {
    if constexpr (declared_large<Function, Base, More...>) {
        if (base.has_large_counts()) {
            return base.template with_arguments<MPI_Count>(
                [=](auto... arguments) { return Function::bind_large(arguments..., more...); });
        }
    }
    return base.template with_arguments<int>([=](auto... arguments) { return Function::bind(arguments..., more...); });
}

template <class Base, class Function>
class BlockingForm final : public Base {
public:
    using Base::Base;
    BoundCall bind() override { return bind_to<Function>(static_cast<const Base&>(*this)); }
};

/// What is started and completed: the call of both at once.
template <class Base>
class StartedForm : public Base, public Startable {
public:
    using Base::Base;

    BoundCall bind() final {
        start_ = bind_start(request_);
        BoundCall::rehearse({&start_, 1}, [this] { (void)start_and_wait(&start_, &request_, wait_for_nothing); });
        return BoundCall(start_and_wait, &start_, &request_, MPI_Wait);
    }
    [[nodiscard]] Startable* startable() final { return this; }

private:
    using Wait = int (*)(MPI_Request*, MPI_Status*);

    static int start_and_wait(const BoundCall* start, MPI_Request* request, Wait wait) {
        const int code = (*start)();
        return code == MPI_SUCCESS ? wait(request, MPI_STATUS_IGNORE) : code;
    }
    static int wait_for_nothing(MPI_Request*, MPI_Status*) { return MPI_SUCCESS; }

    BoundCall start_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

template <class Base, class Function>
class NonblockingForm final : public StartedForm<Base> {
public:
    using StartedForm<Base>::StartedForm;
    BoundCall bind_start(MPI_Request& request) override {
        return bind_to<Function>(static_cast<const Base&>(*this), &request);
    }
};

/// Shows which arguments can construct a base, which is abstract.
template <class Base>
struct Concrete final : Base {
    using Base::Base;
    BoundCall bind() override { return BoundCall(); }
};

/// The request is made with the operation; the call starts it and waits.
template <class Base, class Function>
class PersistentForm final : public StartedForm<Base> {
public:
    template <class... Where>
        requires std::is_constructible_v<Concrete<Base>, const Where&...>
    explicit PersistentForm(const Where&... where) : StartedForm<Base>(where...) {
        (refuse_moving_buffers(where), ...);
        const BoundCall make = bind_to<Function>(static_cast<const Base&>(*this), MPI_INFO_NULL, made_.handle());
        mpi::check(MPI_Barrier(this->comm()), "MPI_Barrier"); // so that the time is without waiting for other ranks
        const double begin = MPI_Wtime();
        const int code = make();
        const double end = MPI_Wtime();
        mpi::check(code, Function::mpi_name.data());
        const std::span<const SetupCost> others = Base::set_up();
        set_up_.assign(others.begin(), others.end());
        set_up_.push_back({"request", end - begin});
    }

    [[nodiscard]] std::span<const SetupCost> set_up() const override { return set_up_; }

    BoundCall bind_start(MPI_Request& request) override {
        request = *made_.handle();
        return BoundCall(MPI_Start, &request);
    }

private:
    static void refuse_moving_buffers(const CallSite& site) {
        require_buffers_that_stay(traits(Function::name), site.area_bytes);
    }
    template <class Other>
    static void refuse_moving_buffers(const Other&) {}

    mpi::PersistentRequest made_;
    std::vector<SetupCost> set_up_; ///< what the base makes, then the request
};

/// What the forms of a collective have in common.
struct Traits {
    std::string_view summary;
    Volume volume = Volume::none;
    bool rooted = false;
    bool reduces = false;
    bool varied = false;                        ///< each block has its own size: family `counts` applies
    bool places_in_bytes = false;               ///< displacements of its blocks are ints that count bytes
    std::string_view since = "1.0";             ///< the version of MPI that has the blocking form
    std::span<const Parameter> parameters = {}; ///< with them the base takes (member, bound, site)
    int (*n_blocks)(const Bound& bound, int n_ranks) = nullptr;
    InPlace in_place = InPlace::never;
};

/// The `make` of a form, even of one that this library lacks.
template <class Made, bool is_declared>
std::unique_ptr<Operation> make_form(const Bound& bound, const CallSite& site) {
    const auto& member = static_cast<const OperationMember&>(bound.info());
    if constexpr (is_declared && std::is_constructible_v<Made, const OperationMember&, const Bound&, const CallSite&>) {
        return std::make_unique<Made>(member, bound, site);
    } else if constexpr (is_declared) {
        return std::make_unique<Made>(member, site);
    } else {
        require_available(member);
        return nullptr; // not reached
    }
}

template <template <class, class> class FormOf, class Base, class Function, class... More>
constexpr OperationMember entry(const Traits& traits, Form form, std::string_view collective, std::string_view since) {
    constexpr bool is_declared = declared<Function, Base, More...>;
    return {{{Function::name, traits.summary, "", traits.parameters}, make_form<FormOf<Base, Function>, is_declared>},
            Function::mpi_name,
            traits.volume,
            traits.rooted,
            traits.reduces,
            traits.varied,
            traits.places_in_bytes,
            form,
            collective,
            since,
            is_declared && known_fault(Function::mpi_name).what.empty(),
            declared_large<Function, Base, More...>,
            traits.n_blocks,
            traits.in_place,
            form == Form::persistent};
}

/// The member of an operation that has one form: `Base(member, site)` with a function of ICTUS_MPI_FUNCTION.
template <class Base, class Function>
constexpr OperationMember blocking(const Traits& traits) {
    return entry<BlockingForm, Base, Function>(traits, Form::blocking, Function::name, traits.since);
}

/// The members of a collective: `Base(member, site)` with the functions of ICTUS_FORMS.
template <class Base, class Functions>
constexpr Forms forms(const Traits& traits) {
    using Plain = typename Functions::Blocking;
    return {blocking<Base, Plain>(traits),
            entry<NonblockingForm, Base, typename Functions::Nonblocking, MPI_Request*>(traits, Form::nonblocking,
                                                                                        Plain::name, "3.0"),
            entry<PersistentForm, Base, typename Functions::Persistent, MPI_Info, MPI_Request*>(
                traits, Form::persistent, Plain::name, "4.0")};
}

/// The member of an operation that is not a single MPI call: point-to-point and one-sided operations, our own
/// exchanges. `Made(member, bound, site)`, or `Made(member, site)` where there are no parameters. `mpi_name` is the
/// call that carries the data.
template <class Made>
constexpr OperationMember composed(std::string_view name, std::string_view mpi_name, const Traits& traits) {
    return {{{name, traits.summary, "", traits.parameters}, make_form<Made, true>},
            mpi_name,
            traits.volume,
            traits.rooted,
            traits.reduces,
            traits.varied,
            traits.places_in_bytes,
            Form::blocking,
            name,
            traits.since,
            /*available=*/true,
            /*large=*/false,
            traits.n_blocks};
}

} // namespace ictus::operation
