#include "redirect/calls.hpp"

#include "redirect/program.hpp"

#include <new>

namespace ictus::redirect {
namespace {

using mockup::Arguments;
using mockup::Units;

std::byte* bytes_of(void* buffer) { return static_cast<std::byte*>(buffer); }
const std::byte* bytes_of(const void* buffer) { return static_cast<const std::byte*>(buffer); }

/// `arrange` makes the arguments of a mock-up, `library` makes the call.
template <class Arrange, class Library>
int rerouted_or(const CollectiveCall& call, Arrange arrange, Library library) noexcept {
    if (Redirection* const redirection = current()) {
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
    }
    return library();
}

/// A message that each rank sends and, somewhere, receives as much of.
void arrange_message(Arguments& a, const void* send, void* receive, int count, MPI_Datatype type) {
    a.in_place = send == MPI_IN_PLACE;
    a.result = bytes_of(receive);
    a.own = a.in_place ? a.result : bytes_of(send);
    a.count = a.result_count = count;
    a.units = a.result_units = Units::of(type);
}

/// A block that each rank sends, into whole buffers of them.
void arrange_blocks(Arguments& a, const void* send, int send_count, MPI_Datatype send_type, void* receive, int count,
                    MPI_Datatype type) {
    a.in_place = send == MPI_IN_PLACE;
    a.result = bytes_of(receive);
    a.result_count = count;
    a.result_units = Units::of(type);
    a.count = a.in_place ? count : send_count;
    a.units = a.in_place ? a.result_units : Units::of(send_type);
    a.own = a.in_place ? a.result_units.at(a.result, a.rank * count) : bytes_of(send);
}

/// Of all blocks; negative where one is.
std::int64_t total(const int counts[], MPI_Comm comm) {
    int n_ranks = 0;
    if (comm == MPI_COMM_NULL || counts == nullptr || PMPI_Comm_size(comm, &n_ranks) != MPI_SUCCESS) {
        return -1;
    }
    std::int64_t sum = 0;
    for (int rank = 0; rank < n_ranks; ++rank) {
        if (counts[rank] < 0) {
            return -1;
        }
        sum += counts[rank];
    }
    return sum;
}

bool is_root(int root, MPI_Comm comm) {
    int rank = 0;
    return comm != MPI_COMM_NULL && PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == root;
}

} // namespace

int allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
              MPI_Comm comm) noexcept {
    const CollectiveCall call{
        .which = CollectiveKind::allgather, .comm = comm, .type = type, .count = count, .in_blocks = true};
    return rerouted_or(
        call, [&](Arguments& a) { arrange_blocks(a, send, send_count, send_type, receive, count, type); },
        [&] { return PMPI_Allgather(send, send_count, send_type, receive, count, type, comm); });
}

int allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) noexcept {
    const CollectiveCall call{
        .which = CollectiveKind::allreduce, .comm = comm, .type = type, .count = count, .reduces = true, .op = op};
    return rerouted_or(
        call, [&](Arguments& a) { arrange_message(a, send, receive, count, type); },
        [&] { return PMPI_Allreduce(send, receive, count, type, op, comm); });
}

int bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) noexcept {
    const CollectiveCall call{
        .which = CollectiveKind::bcast, .comm = comm, .type = type, .count = count, .rooted = true, .root = root};
    return rerouted_or(
        call, [&](Arguments& a) { arrange_message(a, buffer, buffer, count, type); },
        [&] { return PMPI_Bcast(buffer, count, type, root, comm); });
}

int gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
           int root, MPI_Comm comm) noexcept {
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
        [&] { return PMPI_Gather(send, send_count, send_type, receive, count, type, root, comm); });
}

int reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) noexcept {
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
        [&] { return PMPI_Reduce(send, receive, count, type, op, root, comm); });
}

int reduce_scatter(const void* send, void* receive, const int counts[], MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) noexcept {
    const CollectiveCall call{.which = CollectiveKind::reduce_scatter,
                              .comm = comm,
                              .type = type,
                              .count = total(counts, comm),
                              .reduces = true,
                              .op = op};
    return rerouted_or(
        call,
        [&](Arguments& a) {
            arrange_message(a, send, receive, counts[a.rank], type);
            a.counts = counts;
        },
        [&] { return PMPI_Reduce_scatter(send, receive, counts, type, op, comm); });
}

int reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm) noexcept {
    const CollectiveCall call{.which = CollectiveKind::reduce_scatter_block,
                              .comm = comm,
                              .type = type,
                              .count = count,
                              .in_blocks = true,
                              .reduces = true,
                              .op = op};
    return rerouted_or(
        call, [&](Arguments& a) { arrange_message(a, send, receive, count, type); },
        [&] { return PMPI_Reduce_scatter_block(send, receive, count, type, op, comm); });
}

int scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) noexcept {
    const CollectiveCall call{
        .which = CollectiveKind::scan, .comm = comm, .type = type, .count = count, .reduces = true, .op = op};
    return rerouted_or(
        call, [&](Arguments& a) { arrange_message(a, send, receive, count, type); },
        [&] { return PMPI_Scan(send, receive, count, type, op, comm); });
}

int scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
            int root, MPI_Comm comm) noexcept {
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
                a.count = send_count;
                a.units = Units::of(send_type);
            }
            if (!a.in_place) {
                a.result = bytes_of(receive);
                a.result_count = count;
                a.result_units = Units::of(type);
            }
        },
        [&] { return PMPI_Scatter(send, send_count, send_type, receive, count, type, root, comm); });
}

} // namespace ictus::redirect
