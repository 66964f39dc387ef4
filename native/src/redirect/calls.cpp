#include "redirect/calls.hpp"

#include "redirect/program.hpp"

#include "base/error.hpp"

#include <limits>
#include <new>
#include <vector>

namespace ictus::redirect {
namespace {

/// The calls of the library, by the kind of their counts.
namespace library {
#define ICTUS_CALL(name, lower, UPPER, ...)                                                                            \
    int lower(ICTUS_PARAMETERS(__VA_ARGS__)) { return PMPI_##name(ICTUS_NAMES(__VA_ARGS__)); }
ICTUS_COLLECTIVES_WITH_MOCKUPS(ICTUS_CALL)
#undef ICTUS_CALL
#if ICTUS_HAS_LARGE_COUNTS
#define ICTUS_CALL(name, lower, UPPER, ...)                                                                            \
    int lower(ICTUS_LARGE_PARAMETERS(__VA_ARGS__)) { return PMPI_##name##_c(ICTUS_NAMES(__VA_ARGS__)); }
ICTUS_COLLECTIVES_WITH_MOCKUPS(ICTUS_CALL)
#undef ICTUS_CALL
#endif
} // namespace library

using mockup::Arguments;
using mockup::Units;

std::byte* bytes_of(void* buffer) { return static_cast<std::byte*>(buffer); }
const std::byte* bytes_of(const void* buffer) { return static_cast<const std::byte*>(buffer); }

/// A count of a call that is rerouted: its volume is at most 1 GiB, so that only a count beside what MPI asks for, of
/// nothing or of less than is sent, does not fit.
int fitting(std::int64_t count) {
    if (count > std::numeric_limits<int>::max()) {
        throw usage_error("a mock-up cannot take a count of " + std::to_string(count));
    }
    return static_cast<int>(count);
}

/// `arrange` makes the arguments of a mock-up, `own_call` makes the call by the library, whose calls in it are its own.
template <class Arrange, class OwnCall>
int rerouted_or(const CollectiveCall& call, Arrange arrange, OwnCall own_call) noexcept {
    Redirection* const redirection = current();
    if (redirection == nullptr) {
        return own_call();
    }
    const MockupScope guard;
    try {
        if (const auto choice = redirection->choose(call)) {
            Arguments arguments;
            arguments.op = call.op;
            arguments.root = call.root;
            arguments.rank = choice->communicator->rank();
            arguments.n_ranks = choice->communicator->n_ranks();
            arguments.comm = call.comm;
            arrange(arguments);
            return redirection->run(*choice, arguments);
        }
    } catch (const std::bad_alloc&) {
        return raise(call.comm, MPI_ERR_NO_MEM, "no memory for a mock-up");
    } catch (const std::exception& error) {
        return raise(call.comm, MPI_ERR_OTHER, error.what());
    }
    return own_call();
}

/// A message that each rank sends and, somewhere, receives as much of.
void arrange_message(Arguments& a, const void* send, void* receive, std::int64_t count, MPI_Datatype type) {
    a.in_place = send == MPI_IN_PLACE;
    a.result = bytes_of(receive);
    a.own = a.in_place ? a.result : bytes_of(send);
    a.count = a.result_count = fitting(count);
    a.units = a.result_units = Units::of(type);
}

/// A block that each rank sends, into whole buffers of them.
void arrange_blocks(Arguments& a, const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                    std::int64_t count, MPI_Datatype type) {
    a.in_place = send == MPI_IN_PLACE;
    a.result = bytes_of(receive);
    a.result_count = fitting(count);
    a.result_units = Units::of(type);
    a.count = a.in_place ? a.result_count : fitting(send_count);
    a.units = a.in_place ? a.result_units : Units::of(send_type);
    a.own = a.in_place ? a.result_units.at(a.result, a.rank * a.result_count) : bytes_of(send);
}

/// Of all blocks; negative where one is.
template <class Count>
std::int64_t total(const Count counts[], MPI_Comm comm) {
    int n_ranks = 0;
    if (comm == MPI_COMM_NULL || counts == nullptr || PMPI_Comm_size(comm, &n_ranks) != MPI_SUCCESS) {
        return -1;
    }
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    std::int64_t sum = 0;
    for (int rank = 0; rank < n_ranks; ++rank) {
        if (counts[rank] < 0) {
            return -1;
        }
        sum = counts[rank] > most - sum ? most : sum + counts[rank];
    }
    return sum;
}

/// Each of them.
template <class Count>
std::vector<int> all_fitting(const Count counts[], int n) {
    std::vector<int> fit(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
        fit[static_cast<std::size_t>(i)] = fitting(counts[i]);
    }
    return fit;
}

bool is_root(int root, MPI_Comm comm) {
    int rank = 0;
    return comm != MPI_COMM_NULL && PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == root;
}

/// With counts of either kind.
namespace any_count {

template <class Count>
int allgather(const void* send, Count send_count, MPI_Datatype send_type, void* receive, Count count, MPI_Datatype type,
              MPI_Comm comm) {
    const CollectiveCall call{
        .which = CollectiveKind::allgather, .comm = comm, .type = type, .count = count, .in_blocks = true};
    return rerouted_or(
        call, [&](Arguments& a) { arrange_blocks(a, send, send_count, send_type, receive, count, type); },
        [&] { return library::allgather(send, send_count, send_type, receive, count, type, comm); });
}

template <class Count>
int allreduce(const void* send, void* receive, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const CollectiveCall call{
        .which = CollectiveKind::allreduce, .comm = comm, .type = type, .count = count, .reduces = true, .op = op};
    return rerouted_or(
        call, [&](Arguments& a) { arrange_message(a, send, receive, count, type); },
        [&] { return library::allreduce(send, receive, count, type, op, comm); });
}

template <class Count>
int bcast(void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    const CollectiveCall call{
        .which = CollectiveKind::bcast, .comm = comm, .type = type, .count = count, .rooted = true, .root = root};
    return rerouted_or(
        call, [&](Arguments& a) { arrange_message(a, buffer, buffer, count, type); },
        [&] { return library::bcast(buffer, count, type, root, comm); });
}

template <class Count>
int gather(const void* send, Count send_count, MPI_Datatype send_type, void* receive, Count count, MPI_Datatype type,
           int root, MPI_Comm comm) {
    const bool is_in_place = send == MPI_IN_PLACE; // then the root, whose send arguments mean nothing
    const CollectiveCall call{.which = CollectiveKind::gather,
                              .comm = comm,
                              .type = is_in_place ? type : send_type,
                              .count = is_in_place ? count : send_count,
                              .in_blocks = true,
                              .rooted = true,
                              .root = root};
    return rerouted_or(
        call,
        [&](Arguments& a) {
            if (a.is_root()) {
                arrange_blocks(a, send, send_count, send_type, receive, count, type);
            } else { // what it would receive means nothing
                arrange_message(a, send, nullptr, send_count, send_type);
            }
        },
        [&] { return library::gather(send, send_count, send_type, receive, count, type, root, comm); });
}

template <class Count>
int reduce(const void* send, void* receive, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    const CollectiveCall call{.which = CollectiveKind::reduce,
                              .comm = comm,
                              .type = type,
                              .count = count,
                              .reduces = true,
                              .op = op,
                              .rooted = true,
                              .root = root};
    return rerouted_or(
        call, [&](Arguments& a) { arrange_message(a, send, a.is_root() ? receive : nullptr, count, type); },
        [&] { return library::reduce(send, receive, count, type, op, root, comm); });
}

template <class Count>
int reduce_scatter(const void* send, void* receive, const Count counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const CollectiveCall call{.which = CollectiveKind::reduce_scatter,
                              .comm = comm,
                              .type = type,
                              .count = total(counts, comm),
                              .reduces = true,
                              .op = op};
    std::vector<int> fit;
    return rerouted_or(
        call,
        [&](Arguments& a) {
            arrange_message(a, send, receive, counts[a.rank], type);
            if constexpr (std::is_same_v<Count, int>) {
                a.counts = counts;
            } else {
                fit = all_fitting(counts, a.n_ranks);
                a.counts = fit.data();
            }
        },
        [&] { return library::reduce_scatter(send, receive, counts, type, op, comm); });
}

template <class Count>
int reduce_scatter_block(const void* send, void* receive, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const CollectiveCall call{.which = CollectiveKind::reduce_scatter_block,
                              .comm = comm,
                              .type = type,
                              .count = count,
                              .in_blocks = true,
                              .reduces = true,
                              .op = op};
    return rerouted_or(
        call, [&](Arguments& a) { arrange_message(a, send, receive, count, type); },
        [&] { return library::reduce_scatter_block(send, receive, count, type, op, comm); });
}

template <class Count>
int scan(const void* send, void* receive, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const CollectiveCall call{
        .which = CollectiveKind::scan, .comm = comm, .type = type, .count = count, .reduces = true, .op = op};
    return rerouted_or(
        call, [&](Arguments& a) { arrange_message(a, send, receive, count, type); },
        [&] { return library::scan(send, receive, count, type, op, comm); });
}

template <class Count>
int scatter(const void* send, Count send_count, MPI_Datatype send_type, void* receive, Count count, MPI_Datatype type,
            int root, MPI_Comm comm) {
    const bool sends = is_root(root, comm); // elsewhere the send arguments mean nothing, there perhaps the others
    const CollectiveCall call{.which = CollectiveKind::scatter,
                              .comm = comm,
                              .type = sends ? send_type : type,
                              .count = sends ? send_count : count,
                              .in_blocks = true,
                              .rooted = true,
                              .root = root};
    return rerouted_or(
        call,
        [&](Arguments& a) {
            a.in_place = sends && receive == MPI_IN_PLACE;
            if (sends) {
                a.own = bytes_of(send);
                a.count = fitting(send_count);
                a.units = Units::of(send_type);
            }
            if (!a.in_place) {
                a.result = bytes_of(receive);
                a.result_count = fitting(count);
                a.result_units = Units::of(type);
            }
        },
        [&] { return library::scatter(send, send_count, send_type, receive, count, type, root, comm); });
}

} // namespace any_count

} // namespace

#define ICTUS_CALL(name, lower, UPPER, ...)                                                                            \
    int lower(ICTUS_PARAMETERS(__VA_ARGS__)) noexcept { return any_count::lower(ICTUS_NAMES(__VA_ARGS__)); }
ICTUS_COLLECTIVES_WITH_MOCKUPS(ICTUS_CALL)
#undef ICTUS_CALL
#if ICTUS_HAS_LARGE_COUNTS
#define ICTUS_CALL(name, lower, UPPER, ...)                                                                            \
    int lower(ICTUS_LARGE_PARAMETERS(__VA_ARGS__)) noexcept { return any_count::lower(ICTUS_NAMES(__VA_ARGS__)); }
ICTUS_COLLECTIVES_WITH_MOCKUPS(ICTUS_CALL)
#undef ICTUS_CALL
#endif

} // namespace ictus::redirect
