// A test instrument: a library to preload that spoils what a collective delivers, behind MPI's back, so that tests show
// that payload validation sees it. After the real call, on one rank (of the call's communicator), the receive buffer is
// changed:
//     ICTUS_FLIP_OPERATION  MPI name (`MPI_Bcast`) or `*` for all; without it nothing is spoiled
//     ICTUS_FLIP_RANK       default 0
//     ICTUS_FLIP_MODE       flip (default): one byte is inverted
//                           truncate: the last element was never written
//                           skip: nothing was written
//     ICTUS_FLIP_BYTE       for flip: offset of the byte, modulo the size of what was received; default 0
// Buffers that a rank does not receive into (the root's of MPI_Bcast, ...) are left alone.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

enum class Mode { flip, truncate, skip };

struct Settings {
    std::string_view operation;
    long rank = 0;
    long byte = 0;
    Mode mode = Mode::flip;
};

[[noreturn]] void refuse(const char* variable, const char* value, const char* allowed) {
    std::fprintf(stderr, "ictus-flip: %s='%s' is not %s\n", variable, value, allowed);
    PMPI_Abort(MPI_COMM_WORLD, 2);
    std::abort();
}

long count_from(const char* variable) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) {
        return 0;
    }
    char* end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 0) {
        refuse(variable, text, "a whole number, not negative");
    }
    return value;
}

Mode mode_from(const char* variable) {
    const char* const text = std::getenv(variable);
    const std::string_view word = text == nullptr ? "flip" : text;
    if (word == "flip") {
        return Mode::flip;
    }
    if (word == "truncate") {
        return Mode::truncate;
    }
    if (word == "skip") {
        return Mode::skip;
    }
    refuse(variable, text, "one of flip, truncate, skip");
}

const Settings& settings() {
    static const Settings read = [] {
        const char* const operation = std::getenv("ICTUS_FLIP_OPERATION");
        return Settings{operation == nullptr ? "" : operation, count_from("ICTUS_FLIP_RANK"),
                        count_from("ICTUS_FLIP_BYTE"), mode_from("ICTUS_FLIP_MODE")};
    }();
    return read;
}

int rank_in(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(MPI_Comm comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

/// Whether the call is one to spoil on this rank. Between two groups (intercommunicators) the buffers mean other
/// things.
bool is_target(std::string_view operation, MPI_Comm comm) {
    const Settings& wanted = settings();
    if (wanted.operation != "*" && wanted.operation != operation) {
        return false;
    }
    int is_inter = 0;
    PMPI_Comm_test_inter(comm, &is_inter);
    return is_inter == 0 && rank_in(comm) == wanted.rank;
}

/// What a call writes on this rank: `count` elements.
struct Received {
    void* data;
    std::size_t count;
    MPI_Datatype type;
};

/// Makes the call and spoils what it wrote.
template <class Call>
int spoiled(const Received& received, Call call) {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_extent(received.type, &lower, &extent);
    auto* const bytes = static_cast<unsigned char*>(received.data);
    const auto element = static_cast<std::size_t>(extent);
    const std::size_t size = received.count * element;
    if (size == 0 || received.data == MPI_IN_PLACE) {
        return call();
    }
    const std::vector<unsigned char> before(bytes, bytes + size);
    const int code = call();
    switch (settings().mode) {
    case Mode::flip: // NOLINTNEXTLINE(clang-analyzer-security.ArrayBound): taken modulo the size
        bytes[static_cast<std::size_t>(settings().byte) % size] ^= 0xFF;
        break;
    case Mode::truncate: std::memcpy(bytes + size - element, before.data() + size - element, element); break;
    case Mode::skip: std::memcpy(bytes, before.data(), size); break;
    }
    return code;
}

std::size_t each(int count) { return static_cast<std::size_t>(count); }
std::size_t from_all(int count, MPI_Comm comm) { return each(count) * each(size_of(comm)); }

} // namespace

extern "C" {

int MPI_Barrier(MPI_Comm comm) { return PMPI_Barrier(comm); } // delivers nothing

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    const auto call = [=] { return PMPI_Bcast(buffer, count, type, root, comm); };
    if (!is_target("MPI_Bcast", comm) || rank_in(comm) == root) {
        return call();
    }
    return spoiled({buffer, each(count), type}, call);
}

int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
               int root, MPI_Comm comm) {
    const auto call = [=] { return PMPI_Gather(send, send_count, send_type, receive, count, type, root, comm); };
    if (!is_target("MPI_Gather", comm) || rank_in(comm) != root) {
        return call();
    }
    return spoiled({receive, from_all(count, comm), type}, call);
}

int MPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
                int root, MPI_Comm comm) {
    const auto call = [=] { return PMPI_Scatter(send, send_count, send_type, receive, count, type, root, comm); };
    if (!is_target("MPI_Scatter", comm)) {
        return call();
    }
    return spoiled({receive, each(count), type}, call);
}

int MPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
                  MPI_Comm comm) {
    const auto call = [=] { return PMPI_Allgather(send, send_count, send_type, receive, count, type, comm); };
    if (!is_target("MPI_Allgather", comm)) {
        return call();
    }
    return spoiled({receive, from_all(count, comm), type}, call);
}

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
                 MPI_Comm comm) {
    const auto call = [=] { return PMPI_Alltoall(send, send_count, send_type, receive, count, type, comm); };
    if (!is_target("MPI_Alltoall", comm)) {
        return call();
    }
    return spoiled({receive, from_all(count, comm), type}, call);
}

int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    const auto call = [=] { return PMPI_Reduce(send, receive, count, type, op, root, comm); };
    if (!is_target("MPI_Reduce", comm) || rank_in(comm) != root) {
        return call();
    }
    return spoiled({receive, each(count), type}, call);
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const auto call = [=] { return PMPI_Allreduce(send, receive, count, type, op, comm); };
    if (!is_target("MPI_Allreduce", comm)) {
        return call();
    }
    return spoiled({receive, each(count), type}, call);
}

int MPI_Reduce_scatter(const void* send, void* receive, const int counts[], MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
    const auto call = [=] { return PMPI_Reduce_scatter(send, receive, counts, type, op, comm); };
    if (!is_target("MPI_Reduce_scatter", comm)) {
        return call();
    }
    return spoiled({receive, each(counts[rank_in(comm)]), type}, call);
}

int MPI_Reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const auto call = [=] { return PMPI_Reduce_scatter_block(send, receive, count, type, op, comm); };
    if (!is_target("MPI_Reduce_scatter_block", comm)) {
        return call();
    }
    return spoiled({receive, each(count), type}, call);
}

int MPI_Scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const auto call = [=] { return PMPI_Scan(send, receive, count, type, op, comm); };
    if (!is_target("MPI_Scan", comm)) {
        return call();
    }
    return spoiled({receive, each(count), type}, call);
}

int MPI_Exscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const auto call = [=] { return PMPI_Exscan(send, receive, count, type, op, comm); };
    if (!is_target("MPI_Exscan", comm) || rank_in(comm) == 0) {
        return call();
    }
    return spoiled({receive, each(count), type}, call);
}

} // extern "C"
