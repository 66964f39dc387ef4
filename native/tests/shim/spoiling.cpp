#include "shim/spoiling.hpp"

#include "shim/flip_settings.hpp"

#include <algorithm>

namespace ictus::shim {
namespace {

MPI_Aint extent_of(MPI_Datatype type) {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_extent(type, &lower, &extent);
    return extent;
}

std::size_t unit_bytes(const ReceivedRun& piece) {
    int size = 0;
    PMPI_Type_size(piece.type, &size);
    return static_cast<std::size_t>(size);
}

/// The message that a piece holds, byte by byte.
std::vector<unsigned char> packed(const ReceivedRun& piece) {
    int room = 0;
    int size = 0;
    PMPI_Pack_size(static_cast<int>(piece.count), piece.type, MPI_COMM_SELF, &room);
    std::vector<unsigned char> bytes(static_cast<std::size_t>(room));
    PMPI_Pack(piece.data, static_cast<int>(piece.count), piece.type, bytes.data(), room, &size, MPI_COMM_SELF);
    bytes.resize(static_cast<std::size_t>(size));
    return bytes;
}

void write(const ReceivedRun& piece, const std::vector<unsigned char>& bytes) {
    int at = 0;
    PMPI_Unpack(bytes.data(), static_cast<int>(bytes.size()), &at, piece.data, static_cast<int>(piece.count),
                piece.type, MPI_COMM_SELF);
}

/// A call that was begun and is not complete; of a persistent one, also before and after.
struct PendingCall {
    MPI_Request request;
    Spoiler spoiler;
    bool is_persistent;
    bool is_active;
};

std::vector<PendingCall>& all_pending() {
    static std::vector<PendingCall> all;
    return all;
}

auto pending_of(MPI_Request request) {
    return std::ranges::find_if(all_pending(), [request](const PendingCall& one) { return one.request == request; });
}

void started(MPI_Request request) {
    const auto found = pending_of(request);
    if (found != all_pending().end()) {
        found->spoiler.remember();
        found->is_active = true;
    }
}

void completed(MPI_Request request) {
    const auto found = pending_of(request);
    if (found == all_pending().end() || !found->is_active) {
        return;
    }
    found->spoiler.spoil();
    found->is_active = false;
    if (!found->is_persistent) {
        all_pending().erase(found);
    }
}

} // namespace

bool is_target_at(std::string_view mpi_name, int rank) {
    static long n_calls = 0;
    const FlipSettings& settings = flip_settings();
    if (!settings.names(mpi_name) || rank != settings.rank) {
        return false;
    }
    return settings.call == 0 || ++n_calls == settings.call;
}

bool is_target(std::string_view mpi_name, MPI_Comm comm) {
    int is_inter = 0;
    PMPI_Comm_test_inter(comm, &is_inter);
    return is_inter == 0 && is_target_at(mpi_name, rank_in(comm));
}

Spoiler::Spoiler(ReceivedRuns received) {
    for (const ReceivedRun& piece : received) {
        if (piece.data != MPI_IN_PLACE && piece.count > 0 && unit_bytes(piece) > 0) {
            received_.push_back(piece);
        }
    }
    remember();
}

void Spoiler::remember() {
    before_.clear();
    for (const ReceivedRun& piece : received_) {
        before_.push_back(packed(piece));
    }
}

std::size_t Spoiler::size() const {
    std::size_t sum = 0;
    for (const auto& piece : before_) {
        sum += piece.size();
    }
    return sum;
}

void Spoiler::spoil() const {
    using Mode = FlipSettings::Mode;
    if (size() == 0) {
        return;
    }
    std::size_t byte = flip_settings().byte % size();
    for (std::size_t i = 0; i < received_.size(); ++i) {
        const std::vector<unsigned char>& before = before_[i];
        const std::size_t n = before.size();
        const bool is_last = i + 1 == received_.size();
        if (flip_settings().mode == Mode::flip && byte < n) {
            auto bytes = packed(received_[i]);
            bytes[byte] ^= 0xFF;
            return write(received_[i], bytes);
        }
        if (flip_settings().mode == Mode::truncate && is_last) {
            auto bytes = packed(received_[i]);
            const std::size_t last = n - unit_bytes(received_[i]);
            std::copy(before.begin() + static_cast<std::ptrdiff_t>(last), before.end(),
                      bytes.begin() + static_cast<std::ptrdiff_t>(last));
            write(received_[i], bytes);
        }
        if (flip_settings().mode == Mode::skip) {
            write(received_[i], before);
        }
        byte -= std::min(byte, n);
    }
}

void spoil_at_completion(MPI_Request request, Spoiler spoiler, bool is_persistent) {
    all_pending().push_back({request, std::move(spoiler), is_persistent, !is_persistent});
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

ReceivedRuns blocks(void* data, int n, int count, MPI_Datatype type) {
    return {{data, static_cast<std::size_t>(n) * static_cast<std::size_t>(count), type}};
}

ReceivedRuns varied_blocks(void* data, int n, const int counts[], const int displacements[], MPI_Datatype type) {
    const MPI_Aint extent = extent_of(type);
    ReceivedRuns all;
    for (int i = 0; i < n; ++i) {
        all.push_back(
            {static_cast<char*>(data) + displacements[i] * extent, static_cast<std::size_t>(counts[i]), type});
    }
    return all;
}

int n_sources(MPI_Comm comm) {
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        int dimensions = 0;
        PMPI_Cartdim_get(comm, &dimensions);
        return 2 * dimensions;
    }
    int sources = 0;
    int destinations = 0;
    int is_weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &is_weighted);
    return sources;
}

} // namespace ictus::shim

// Completion of requests, and the start of persistent ones.
extern "C" {

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    const MPI_Request handle = *request;
    const int code = PMPI_Wait(request, status);
    ictus::shim::completed(handle);
    return code;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    const MPI_Request handle = *request;
    const int code = PMPI_Test(request, flag, status);
    if (*flag != 0) {
        ictus::shim::completed(handle);
    }
    return code;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status* statuses) {
    const std::vector<MPI_Request> handles(requests, requests + count);
    const int code = PMPI_Waitall(count, requests, statuses);
    for (const MPI_Request handle : handles) {
        ictus::shim::completed(handle);
    }
    return code;
}

int MPI_Start(MPI_Request* request) {
    ictus::shim::started(*request);
    return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request requests[]) {
    for (int i = 0; i < count; ++i) {
        ictus::shim::started(requests[i]);
    }
    return PMPI_Startall(count, requests);
}

int MPI_Request_free(MPI_Request* request) {
    std::erase_if(ictus::shim::all_pending(),
                  [request](const ictus::shim::PendingCall& one) { return one.request == *request; });
    return PMPI_Request_free(request);
}

} // extern "C"
