// The C interface of isomorphic sparse collectives: checks arguments, and turns Errors into MPI's. Buffers are read in
// isomorphic_blocks; the work is done in neighbourhood/sparse_schedule and sparse_exchange.
#include "ictus/isomorphic.h"

#include "interface/clocked_communicator.hpp"
#include "interface/isomorphic_blocks.hpp"
#include "interface/mpi_error.hpp"
#include "mpi/handles.hpp"
#include "neighbourhood/sparse_exchange.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ictus {

/// What a neighbourhood and its exchanges share.
struct IsomorphicSurroundings {
    MPI_Comm cart; ///< the program's: its error handler is called
    mpi::Communicator comm;
    Torus torus;
    Neighbourhood neighbours;
    double set_up_s;
};

} // namespace ictus

struct ictus_isomorphic {
    std::shared_ptr<const ictus::IsomorphicSurroundings> around;
};

struct ictus_isomorphic_exchange {
    std::shared_ptr<const ictus::IsomorphicSurroundings> around;
    ictus::sparse::SparseExchange exchange;
    ictus_isomorphic_set_up set_up;
};

namespace {

using namespace ictus;
using isomorphic::BlockReader;
using isomorphic::Blocks;
using isomorphic::refuse;

template <class T>
void require_pointer(const T* pointer, const std::string& caller, const char* name) {
    if (pointer == nullptr) {
        refuse(caller + ": " + name + " is NULL");
    }
}

Torus torus_of(MPI_Comm cart, const std::string& caller) {
    require_intracommunicator(cart, caller.c_str());
    int topology = MPI_UNDEFINED;
    mpi::check(MPI_Topo_test(cart, &topology), "MPI_Topo_test");
    if (topology != MPI_CART) {
        throw MpiError(MPI_ERR_TOPOLOGY,
                       caller + ": the communicator has no Cartesian topology; make one with MPI_Cart_create");
    }
    int n = 0;
    mpi::check(MPI_Cartdim_get(cart, &n), "MPI_Cartdim_get");
    const auto n_dimensions = static_cast<std::size_t>(n);
    std::vector<int> lengths(n_dimensions);
    std::vector<int> periods(n_dimensions);
    std::vector<int> coordinates(n_dimensions);
    mpi::check(MPI_Cart_get(cart, n, lengths.data(), periods.data(), coordinates.data()), "MPI_Cart_get");
    return Torus(std::move(lengths), std::vector<bool>(periods.begin(), periods.end()));
}

/// Steps that lead as far, and so small that their sums fit an int: beyond the end of an open dimension is outside,
/// however far.
Neighbourhood neighbours_of(const Torus& torus, int n_neighbours, const int* offsets) {
    Neighbourhood all;
    for (int i = 0; i < n_neighbours; ++i) {
        GridOffset offset(offsets, offsets + torus.dimensions());
        offsets += torus.dimensions();
        for (std::size_t k = 0; k < offset.size(); ++k) {
            const int length = torus.lengths()[k];
            offset[k] = torus.is_periodic(k) ? offset[k] % length : std::clamp(offset[k], -length, length);
        }
        all.push_back(std::move(offset));
    }
    return all;
}

/// Throws on all processes if the lists differ: schedules made of them would wait for messages that nobody sends.
void require_one_list(MPI_Comm comm, const Neighbourhood& neighbours, const std::string& caller) {
    std::uint64_t hash = 0xCBF29CE484222325u; // FNV-1a, of the numbers in their order
    const auto add = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x100000001B3u; };
    add(neighbours.size());
    for (const GridOffset& offset : neighbours) {
        for (const int step : offset) {
            add(static_cast<std::uint32_t>(step));
        }
    }
    std::uint64_t largest[] = {hash, ~hash};
    mpi::check(MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_UINT64_T, MPI_MAX, comm), "MPI_Allreduce");
    if (largest[0] != ~largest[1]) {
        refuse(caller + ": the offsets are not the same on all processes; every process must give the same list");
    }
}

SparseAlgorithm algorithm_of(ictus_isomorphic_schedule schedule, const std::string& caller) {
    switch (schedule) {
    case ICTUS_ISOMORPHIC_DIRECT: return SparseAlgorithm::direct;
    case ICTUS_ISOMORPHIC_DIMENSIONS: return SparseAlgorithm::dimensions;
    case ICTUS_ISOMORPHIC_LOGARITHMIC: return SparseAlgorithm::logarithmic;
    }
    refuse(caller + ": the schedule is " + std::to_string(static_cast<int>(schedule)) +
           "; it must be ICTUS_ISOMORPHIC_DIRECT, _DIMENSIONS or _LOGARITHMIC");
}

/// What all calls that make an exchange have besides their buffers.
struct Request {
    std::string caller;
    decltype(&sparse_alltoall) collective;
    const ictus_isomorphic* neighbourhood;
    ictus_isomorphic_schedule schedule;
    ictus_isomorphic_exchange** exchange;

    [[nodiscard]] BlockReader reader(const char* name, const void* buffer) const {
        return BlockReader(caller + ": the " + name + " buffer", buffer);
    }
};

/// The communicator whose error handler is called.
template <class Handle>
MPI_Comm comm_of(const Handle* handle) {
    return handle == nullptr ? MPI_COMM_NULL : handle->around->cart;
}

/// `sent(n)` and `received(n)` are the blocks of the buffers for n neighbours.
template <class Sent, class Received>
int make_exchange(const Request& request, Sent sent, Received received) {
    return as_mpi_call(comm_of(request.neighbourhood), MPI_ERR_ARG, [&] {
        require_pointer(request.exchange, request.caller, "exchange");
        *request.exchange = nullptr;
        require_pointer(request.neighbourhood, request.caller, "neighbourhood");
        const auto& around = request.neighbourhood->around;
        const Blocks out = sent(around->neighbours.size());
        const Blocks in = received(around->neighbours.size());
        isomorphic::require_sizes(out, in, request.caller);
        const SparseAlgorithm algorithm = algorithm_of(request.schedule, request.caller);
        const double begin = MPI_Wtime();
        const SparseSchedule schedule = request.collective(around->torus, around->neighbours, algorithm);
        const double scheduled = MPI_Wtime();
        std::unique_ptr<ictus_isomorphic_exchange> made(new ictus_isomorphic_exchange{
            around,
            {around->comm.handle(), around->torus, schedule, out, in, isomorphic::resting_type(out, in)},
            {static_cast<int>(schedule.rounds.size()), around->set_up_s, scheduled - begin, 0.0}});
        made->set_up.datatypes_s = MPI_Wtime() - scheduled;
        *request.exchange = made.release();
    });
}

/// Frees what a handle stands for.
template <class Handle>
int free_handle(Handle** handle, const char* caller) {
    return as_mpi_call(handle == nullptr ? MPI_COMM_NULL : comm_of(*handle), MPI_ERR_ARG, [&] {
        require_pointer(handle, caller, "the address of the handle");
        delete *handle;
        *handle = nullptr;
    });
}

} // namespace

int ictus_isomorphic_create(MPI_Comm cart, int n_neighbours, const int offsets[], ictus_isomorphic** neighbourhood) {
    return as_mpi_call(cart, MPI_ERR_ARG, [&] {
        const std::string caller = "ictus_isomorphic_create";
        require_pointer(neighbourhood, caller, "neighbourhood");
        *neighbourhood = nullptr;
        Torus torus = torus_of(cart, caller);
        if (n_neighbours < 0) {
            refuse(caller + ": the number of neighbours is " + std::to_string(n_neighbours) + "; it must be 0 or more");
        }
        if (n_neighbours > 0 && torus.dimensions() > 0) {
            require_pointer(offsets, caller, "offsets");
        }
        const double begin = MPI_Wtime();
        mpi::Communicator comm = mpi::Communicator::without_attributes(cart);
        Neighbourhood neighbours = neighbours_of(torus, n_neighbours, offsets);
        require_one_list(comm.handle(), neighbours, caller);
        *neighbourhood = new ictus_isomorphic{std::make_shared<const IsomorphicSurroundings>(IsomorphicSurroundings{
            cart, std::move(comm), std::move(torus), std::move(neighbours), MPI_Wtime() - begin})};
    });
}

int ictus_isomorphic_ranks(const ictus_isomorphic* neighbourhood, int sources[], int destinations[]) {
    return as_mpi_call(comm_of(neighbourhood), MPI_ERR_ARG, [&] {
        const std::string caller = "ictus_isomorphic_ranks";
        require_pointer(neighbourhood, caller, "neighbourhood");
        const IsomorphicSurroundings& around = *neighbourhood->around;
        if (!around.neighbours.empty()) {
            require_pointer(sources, caller, "sources");
            require_pointer(destinations, caller, "destinations");
        }
        const int own = around.comm.rank();
        const auto as_mpi = [](int rank) { return rank == Torus::outside ? MPI_PROC_NULL : rank; };
        for (std::size_t i = 0; i < around.neighbours.size(); ++i) {
            sources[i] = as_mpi(around.torus.before(own, around.neighbours[i]));
            destinations[i] = as_mpi(around.torus.after(own, around.neighbours[i]));
        }
    });
}

int ictus_isomorphic_free(ictus_isomorphic** neighbourhood) {
    return free_handle(neighbourhood, "ictus_isomorphic_free");
}

int ictus_isomorphic_alltoall_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                   int receive_count, MPI_Datatype receive_type, const ictus_isomorphic* neighbourhood,
                                   ictus_isomorphic_schedule schedule, ictus_isomorphic_exchange** exchange) {
    const Request request{"ictus_isomorphic_alltoall_init", sparse_alltoall, neighbourhood, schedule, exchange};
    return make_exchange(
        request, [&](std::size_t n) { return request.reader("send", send).equal(n, send_count, send_type); },
        [&](std::size_t n) { return request.reader("receive", receive).equal(n, receive_count, receive_type); });
}

int ictus_isomorphic_alltoallv_init(const void* send, const int send_counts[], const int send_displacements[],
                                    MPI_Datatype send_type, void* receive, const int receive_counts[],
                                    const int receive_displacements[], MPI_Datatype receive_type,
                                    const ictus_isomorphic* neighbourhood, ictus_isomorphic_schedule schedule,
                                    ictus_isomorphic_exchange** exchange) {
    const Request request{"ictus_isomorphic_alltoallv_init", sparse_alltoall, neighbourhood, schedule, exchange};
    return make_exchange(
        request,
        [&](std::size_t n) {
            return request.reader("send", send).varied(n, send_counts, send_displacements, send_type);
        },
        [&](std::size_t n) {
            return request.reader("receive", receive).varied(n, receive_counts, receive_displacements, receive_type);
        });
}

int ictus_isomorphic_alltoallw_init(const void* send, const int send_counts[], const MPI_Aint send_displacements[],
                                    const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                                    const MPI_Aint receive_displacements[], const MPI_Datatype receive_types[],
                                    const ictus_isomorphic* neighbourhood, ictus_isomorphic_schedule schedule,
                                    ictus_isomorphic_exchange** exchange) {
    const Request request{"ictus_isomorphic_alltoallw_init", sparse_alltoall, neighbourhood, schedule, exchange};
    return make_exchange(
        request,
        [&](std::size_t n) {
            return request.reader("send", send).typed(n, send_counts, send_displacements, send_types);
        },
        [&](std::size_t n) {
            return request.reader("receive", receive).typed(n, receive_counts, receive_displacements, receive_types);
        });
}

int ictus_isomorphic_allgather_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                    int receive_count, MPI_Datatype receive_type, const ictus_isomorphic* neighbourhood,
                                    ictus_isomorphic_schedule schedule, ictus_isomorphic_exchange** exchange) {
    const Request request{"ictus_isomorphic_allgather_init", sparse_allgather, neighbourhood, schedule, exchange};
    return make_exchange(
        request, [&](std::size_t) { return request.reader("send", send).equal(1, send_count, send_type); },
        [&](std::size_t n) { return request.reader("receive", receive).equal(n, receive_count, receive_type); });
}

int ictus_isomorphic_allgatherv_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                     const int receive_counts[], const int receive_displacements[],
                                     MPI_Datatype receive_type, const ictus_isomorphic* neighbourhood,
                                     ictus_isomorphic_schedule schedule, ictus_isomorphic_exchange** exchange) {
    const Request request{"ictus_isomorphic_allgatherv_init", sparse_allgather, neighbourhood, schedule, exchange};
    return make_exchange(
        request, [&](std::size_t) { return request.reader("send", send).equal(1, send_count, send_type); },
        [&](std::size_t n) {
            return request.reader("receive", receive).varied(n, receive_counts, receive_displacements, receive_type);
        });
}

int ictus_isomorphic_allgatherw_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                     const int receive_counts[], const MPI_Aint receive_displacements[],
                                     const MPI_Datatype receive_types[], const ictus_isomorphic* neighbourhood,
                                     ictus_isomorphic_schedule schedule, ictus_isomorphic_exchange** exchange) {
    const Request request{"ictus_isomorphic_allgatherw_init", sparse_allgather, neighbourhood, schedule, exchange};
    return make_exchange(
        request, [&](std::size_t) { return request.reader("send", send).equal(1, send_count, send_type); },
        [&](std::size_t n) {
            return request.reader("receive", receive).typed(n, receive_counts, receive_displacements, receive_types);
        });
}

int ictus_isomorphic_run(ictus_isomorphic_exchange* exchange) {
    return as_mpi_call(comm_of(exchange), MPI_ERR_ARG, [&] {
        require_pointer(exchange, "ictus_isomorphic_run", "exchange");
        mpi::check(exchange->exchange.run(), "MPI_Sendrecv");
    });
}

int ictus_isomorphic_get_set_up(const ictus_isomorphic_exchange* exchange, ictus_isomorphic_set_up* set_up) {
    return as_mpi_call(comm_of(exchange), MPI_ERR_ARG, [&] {
        require_pointer(exchange, "ictus_isomorphic_get_set_up", "exchange");
        require_pointer(set_up, "ictus_isomorphic_get_set_up", "set_up");
        *set_up = exchange->set_up;
    });
}

int ictus_isomorphic_exchange_free(ictus_isomorphic_exchange** exchange) {
    return free_handle(exchange, "ictus_isomorphic_exchange_free");
}
