#include "shim/spoiling.hpp"

#include "shim/flip_settings.hpp"

#include <algorithm>
#include <cstring>

namespace ictus::shim {
namespace {

MPI_Aint extent_of(MPI_Datatype type) {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_extent(type, &lower, &extent);
    return extent;
}

unsigned char* bytes_of(const Piece& piece) { return static_cast<unsigned char*>(piece.data); }

/// A call that was begun and is not complete; of a persistent one, also before and after.
struct Pending {
    MPI_Request request;
    Spoiler spoiler;
    bool is_persistent;
    bool is_active;
};

std::vector<Pending>& all_pending() {
    static std::vector<Pending> all;
    return all;
}

auto pending_of(MPI_Request request) {
    return std::ranges::find_if(all_pending(), [request](const Pending& one) { return one.request == request; });
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

bool is_target(std::string_view mpi_name, MPI_Comm comm) {
    const FlipSettings& wanted = flip_settings();
    if (!wanted.names(mpi_name)) {
        return false;
    }
    int is_inter = 0;
    PMPI_Comm_test_inter(comm, &is_inter);
    return is_inter == 0 && rank_in(comm) == wanted.rank;
}

Spoiler::Spoiler(Received received) {
    for (const Piece& piece : received) {
        if (piece.data != MPI_IN_PLACE && piece.count > 0) {
            received_.push_back(piece);
            element_bytes_.push_back(static_cast<std::size_t>(extent_of(piece.type)));
        }
    }
    remember();
}

void Spoiler::remember() {
    before_.clear();
    for (std::size_t i = 0; i < received_.size(); ++i) {
        const unsigned char* const bytes = bytes_of(received_[i]);
        before_.emplace_back(bytes, bytes + received_[i].count * element_bytes_[i]);
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
        unsigned char* const bytes = bytes_of(received_[i]);
        const std::size_t n = before_[i].size();
        const bool is_last = i + 1 == received_.size();
        if (flip_settings().mode == Mode::flip && byte < n) {
            bytes[byte] ^= 0xFF;
            return;
        }
        if (flip_settings().mode == Mode::truncate && is_last) {
            const std::size_t last = n - element_bytes_[i];
            std::memcpy(bytes + last, before_[i].data() + last, element_bytes_[i]);
        }
        if (flip_settings().mode == Mode::skip) {
            std::memcpy(bytes, before_[i].data(), n);
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

Received blocks(void* data, int n, int count, MPI_Datatype type) {
    return {{data, static_cast<std::size_t>(n) * static_cast<std::size_t>(count), type}};
}

Received varied_blocks(void* data, int n, const int counts[], const int places[], MPI_Datatype type) {
    const MPI_Aint extent = extent_of(type);
    Received all;
    for (int i = 0; i < n; ++i) {
        all.push_back({static_cast<char*>(data) + places[i] * extent, static_cast<std::size_t>(counts[i]), type});
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
                  [request](const ictus::shim::Pending& one) { return one.request == *request; });
    return PMPI_Request_free(request);
}

} // extern "C"
