#include "plugin/request_watch.hpp"

#include "base/error.hpp"
#include "plugin/library.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <mpi.h>
#include <mutex>
#include <string_view>
#include <sys/mman.h>
#include <tuple>
#include <unistd.h>

namespace ictus::plugin {
namespace {

/// A request that was made and not completed yet; a persistent one, not freed yet. Libraries give one handle to several
/// requests that are complete already, so a handle may be there more than once.
struct Live {
    MPI_Request request;
    std::string_view maker;
    bool is_persistent;
};

std::mutex mutex; // a plug-in may have threads
std::vector<Live> live;

ictus_operation_site given;
std::string_view freed_one; // of `given`; empty: none

template <class Handle>
int free_handle(Handle* handle, Handle of_site, std::string_view what, Handle null, int (*release)(Handle*)) {
    if (*handle != of_site) {
        return release(handle); // `free` is a macro of SimGrid's
    }
    freed_one = what;
    *handle = null;
    return MPI_SUCCESS;
}

int comm_free(MPI_Comm* comm) { return free_handle(comm, given.comm, "communicator", MPI_COMM_NULL, MPI_Comm_free); }
int comm_disconnect(MPI_Comm* comm) {
    return free_handle(comm, given.comm, "communicator", MPI_COMM_NULL, MPI_Comm_disconnect);
}
int type_free(MPI_Datatype* type) {
    return free_handle(type, given.datatype, "datatype", MPI_DATATYPE_NULL, MPI_Type_free);
}
int op_free(MPI_Op* op) { return free_handle(op, given.op, "operator", MPI_OP_NULL, MPI_Op_free); }

void note(MPI_Request request, std::string_view maker, bool is_persistent) {
    if (request != MPI_REQUEST_NULL) {
        const std::lock_guard lock(mutex);
        live.push_back({request, maker, is_persistent});
    }
}

void forget(MPI_Request request) {
    const std::lock_guard lock(mutex);
    const auto found = std::ranges::find(live, request, &Live::request);
    if (found != live.end()) {
        live.erase(found);
    }
}

/// What completes a request sets its handle to null, and leaves that of a persistent one.
template <class Call>
int completed(int n, MPI_Request* requests, Call call) {
    const std::vector<MPI_Request> before(requests, requests + std::max(n, 0));
    const int code = call();
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i] != MPI_REQUEST_NULL && requests[i] == MPI_REQUEST_NULL) {
            forget(before[i]);
        }
    }
    return code;
}

int wait(MPI_Request* request, MPI_Status* status) {
    return completed(1, request, [&] { return MPI_Wait(request, status); });
}
int wait_all(int n, MPI_Request* requests, MPI_Status* statuses) {
    return completed(n, requests, [&] { return MPI_Waitall(n, requests, statuses); });
}
int wait_any(int n, MPI_Request* requests, int* index, MPI_Status* status) {
    return completed(n, requests, [&] { return MPI_Waitany(n, requests, index, status); });
}
int wait_some(int n, MPI_Request* requests, int* n_done, int* indices, MPI_Status* statuses) {
    return completed(n, requests, [&] { return MPI_Waitsome(n, requests, n_done, indices, statuses); });
}
int test(MPI_Request* request, int* flag, MPI_Status* status) {
    return completed(1, request, [&] { return MPI_Test(request, flag, status); });
}
int test_all(int n, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    return completed(n, requests, [&] { return MPI_Testall(n, requests, flag, statuses); });
}
int test_any(int n, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
    return completed(n, requests, [&] { return MPI_Testany(n, requests, index, flag, status); });
}
int test_some(int n, MPI_Request* requests, int* n_done, int* indices, MPI_Status* statuses) {
    return completed(n, requests, [&] { return MPI_Testsome(n, requests, n_done, indices, statuses); });
}
int request_free(MPI_Request* request) {
    return completed(1, request, [&] { return MPI_Request_free(request); });
}

/// A function of MPI whose last argument is the request that it makes.
template <class Function>
struct Maker;
template <class... Arguments>
struct Maker<int (*)(Arguments...)> {
    template <auto function, const char* name, bool is_persistent>
    static int call(Arguments... arguments) {
        const int code = function(arguments...);
        note(*std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...)), name, is_persistent);
        return code;
    }
};

struct Watched {
    std::string_view name;
    void* ours;
};

template <class Function>
void* address(Function* function) {
    return reinterpret_cast<void*>(function);
}

#define ICTUS_MAKES(function, is_persistent)                                                                           \
    [] {                                                                                                               \
        static constexpr char name[] = #function;                                                                      \
        return Watched{name, address(&Maker<decltype(&function)>::call<&function, name, is_persistent>)};              \
    }()

/// All of MPI 3.1, which every library has.
const std::vector<Watched>& watched() {
    static const std::vector<Watched> all = {
        ICTUS_MAKES(MPI_Isend, false),
        ICTUS_MAKES(MPI_Ibsend, false),
        ICTUS_MAKES(MPI_Issend, false),
        ICTUS_MAKES(MPI_Irsend, false),
        ICTUS_MAKES(MPI_Irecv, false),
        ICTUS_MAKES(MPI_Imrecv, false),
        ICTUS_MAKES(MPI_Send_init, true),
        ICTUS_MAKES(MPI_Bsend_init, true),
        ICTUS_MAKES(MPI_Ssend_init, true),
        ICTUS_MAKES(MPI_Rsend_init, true),
        ICTUS_MAKES(MPI_Recv_init, true),
        ICTUS_MAKES(MPI_Ibarrier, false),
        ICTUS_MAKES(MPI_Ibcast, false),
        ICTUS_MAKES(MPI_Igather, false),
        ICTUS_MAKES(MPI_Igatherv, false),
        ICTUS_MAKES(MPI_Iscatter, false),
        ICTUS_MAKES(MPI_Iscatterv, false),
        ICTUS_MAKES(MPI_Iallgather, false),
        ICTUS_MAKES(MPI_Iallgatherv, false),
        ICTUS_MAKES(MPI_Ialltoall, false),
        ICTUS_MAKES(MPI_Ialltoallv, false),
        ICTUS_MAKES(MPI_Ialltoallw, false),
        ICTUS_MAKES(MPI_Ireduce, false),
        ICTUS_MAKES(MPI_Iallreduce, false),
        ICTUS_MAKES(MPI_Ireduce_scatter, false),
        ICTUS_MAKES(MPI_Ireduce_scatter_block, false),
        ICTUS_MAKES(MPI_Iscan, false),
        ICTUS_MAKES(MPI_Iexscan, false),
        ICTUS_MAKES(MPI_Ineighbor_allgather, false),
        ICTUS_MAKES(MPI_Ineighbor_allgatherv, false),
        ICTUS_MAKES(MPI_Ineighbor_alltoall, false),
        ICTUS_MAKES(MPI_Ineighbor_alltoallv, false),
        ICTUS_MAKES(MPI_Ineighbor_alltoallw, false),
        ICTUS_MAKES(MPI_Comm_idup, false),
        ICTUS_MAKES(MPI_Rput, false),
        ICTUS_MAKES(MPI_Rget, false),
        ICTUS_MAKES(MPI_Raccumulate, false),
        ICTUS_MAKES(MPI_Rget_accumulate, false),
        {"MPI_Comm_free", address(comm_free)},
        {"MPI_Comm_disconnect", address(comm_disconnect)},
        {"MPI_Type_free", address(type_free)},
        {"MPI_Op_free", address(op_free)},
        {"MPI_Wait", address(wait)},
        {"MPI_Waitall", address(wait_all)},
        {"MPI_Waitany", address(wait_any)},
        {"MPI_Waitsome", address(wait_some)},
        {"MPI_Test", address(test)},
        {"MPI_Testall", address(test_all)},
        {"MPI_Testany", address(test_any)},
        {"MPI_Testsome", address(test_some)},
        {"MPI_Request_free", address(request_free)},
    };
    return all;
}

void* ours_for(std::string_view symbol) {
    symbol.remove_prefix(symbol.substr(0, 5) == "PMPI_" ? 1 : 0);
    const auto found = std::ranges::find(watched(), symbol, &Watched::name);
    return found == watched().end() ? nullptr : found->ours;
}

/// The dynamic section of a loaded library, by tag; 0: it has none of it.
class DynamicSection {
public:
    explicit DynamicSection(const link_map& map) : map_(map) {}

    [[nodiscard]] ElfW(Xword) number(ElfW(Sxword) tag) const {
        const ElfW(Dyn)* entry = map_.l_ld;
        while (entry->d_tag != DT_NULL && entry->d_tag != tag) {
            ++entry;
        }
        return entry->d_tag == DT_NULL ? 0 : entry->d_un.d_val;
    }
    /// Most loaders have put addresses in the places of offsets.
    template <class Content>
    [[nodiscard]] const Content* table(ElfW(Sxword) tag) const {
        const ElfW(Addr) at = number(tag);
        return reinterpret_cast<const Content*>(at == 0 || at >= map_.l_addr ? at : at + map_.l_addr);
    }

private:
    const link_map& map_;
};

void make_writable(void* place) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    auto* const begin = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(place) / page * page);
    if (mprotect(begin, page, PROT_READ | PROT_WRITE) != 0) {
        throw measurement_error(
            "the requests of a plug-in cannot be watched: mprotect refused to make its page writable");
    }
}

std::string told(const std::vector<Live>& left, const char* what) {
    if (left.empty()) {
        return "";
    }
    const bool is_one = left.size() == 1;
    return std::string("leaves ") + (is_one ? "a request" : std::to_string(left.size()) + " requests") + what +
           (is_one ? " of " : ", the first of ") + std::string(left.front().maker);
}

} // namespace

RequestWatch::RequestWatch(const Library& library, const ictus_operation_site& site) {
    given = site;
    freed_one = {};
    link_map* map = nullptr;
    if (dlinfo(library.handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) {
        return;
    }
    const DynamicSection section(*map);
    const auto* const symbols = section.table<ElfW(Sym)>(DT_SYMTAB);
    const auto* const names = section.table<char>(DT_STRTAB);
    for (const auto& [table, bytes] : {std::pair{DT_RELA, DT_RELASZ}, std::pair{DT_JMPREL, DT_PLTRELSZ}}) {
        const auto* const relocations = section.table<ElfW(Rela)>(table);
        const std::size_t n = relocations == nullptr ? 0 : section.number(bytes) / sizeof(ElfW(Rela));
        for (std::size_t i = 0; i < n; ++i) {
            const auto& symbol = symbols[ELF64_R_SYM(relocations[i].r_info)];
            void* const ours = symbol.st_shndx == SHN_UNDEF ? ours_for(names + symbol.st_name) : nullptr;
            if (ours != nullptr) {
                auto** const place = reinterpret_cast<void**>(map->l_addr + relocations[i].r_offset);
                make_writable(place);
                references_.push_back({place, *place});
                *place = ours;
            }
        }
    }
    live.clear();
}

RequestWatch::~RequestWatch() {
    for (const Reference& one : references_) {
        *one.place = one.function;
    }
}

std::string RequestWatch::incomplete() const {
    std::vector<Live> left;
    std::ranges::copy_if(live, std::back_inserter(left), [](const Live& one) { return !one.is_persistent; });
    return told(left, " incomplete");
}

std::string RequestWatch::freed() const {
    return freed_one.empty() ? "" : "frees the " + std::string(freed_one) + " that it was given";
}

std::string RequestWatch::unfreed() const { return told(live, " that destroy does not free,"); }

} // namespace ictus::plugin
