// Which functions of Open MPI's collectives a program entered, and with how many bytes: loaded in front of a program,
// in a launch in which nothing is timed.
//
// Open MPI keeps each algorithm in an exported function of its own, ompi_coll_base_OPERATION_..., that its components
// call through the linker's table; so the one that is entered is the one that was chosen. All take integers and
// pointers alone, and so are passed on as twelve of these, whatever their number. Calls from within others are not
// counted. Rank 0 writes lines `operation bytes function` into ICTUS_ENTERED when it ends: bytes of the message, or of
// a block.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <set>
#include <string>

#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION <= 5 // counts are int
namespace {

using Word = std::intptr_t;

thread_local int depth = 0;

struct Log {
    std::mutex mutex;
    std::set<std::string> lines;

    void note(const char* operation, const char* function, Word count, Word datatype) {
        int size = 0;
        if (PMPI_Type_size(reinterpret_cast<MPI_Datatype>(datatype), &size) != MPI_SUCCESS) {
            return;
        }
        const long long bytes = static_cast<long long>(static_cast<int>(count)) * size;
        const std::lock_guard guard(mutex);
        lines.insert(std::string(operation) + " " + std::to_string(bytes) + " " + function);
    }

    ~Log() {
        const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
        const char* path = std::getenv("ICTUS_ENTERED");
        if (rank == nullptr || path == nullptr || std::strcmp(rank, "0") != 0) {
            return;
        }
        if (std::FILE* file = std::fopen(path, "w")) {
            for (const std::string& line : lines) {
                std::fprintf(file, "%s\n", line.c_str());
            }
            std::fclose(file);
        }
    }
};

Log& log() {
    static Log instance;
    return instance;
}

/// The function of this name behind this library.
template <typename Function>
Function* next(const char* name) {
    auto* found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    if (found == nullptr) {
        std::fprintf(stderr, "ictus: %s is called and is nowhere\n", name);
        std::abort();
    }
    return found;
}

[[maybe_unused]] bool in_place(Word buffer) { return reinterpret_cast<void*>(buffer) == MPI_IN_PLACE; }

} // namespace

#define ARGUMENTS                                                                                                      \
    Word a0, Word a1, Word a2, Word a3, Word a4, Word a5, Word a6, Word a7, Word a8, Word a9, Word a10, Word a11
#define FUNCTION(operation, rest, count, datatype)                                                                     \
    extern "C" Word ompi_coll_base_##operation##_##rest(ARGUMENTS) {                                                   \
        static auto* const behind = next<Word(ARGUMENTS)>("ompi_coll_base_" #operation "_" #rest);                     \
        if (depth == 0) {                                                                                              \
            log().note(#operation, #rest, count, datatype);                                                            \
        }                                                                                                              \
        ++depth;                                                                                                       \
        const Word result = behind(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11);                                  \
        --depth;                                                                                                       \
        return result;                                                                                                 \
    }

// bcast(buffer, count, datatype, ...)
#define BCAST(rest) FUNCTION(bcast, rest, a1, a2)
BCAST(intra_basic_linear)
BCAST(intra_binomial)
BCAST(intra_bintree)
BCAST(intra_chain)
BCAST(intra_knomial)
BCAST(intra_pipeline)
BCAST(intra_scatter_allgather)
BCAST(intra_scatter_allgather_ring)
BCAST(intra_split_bintree)

// allreduce(send, receive, count, datatype, ...), and so are reduce, scan, exscan, reduce_scatter_block
#define REDUCTION(operation, rest) FUNCTION(operation, rest, a2, a3)
REDUCTION(allreduce, intra_basic_linear)
REDUCTION(allreduce, intra_nonoverlapping)
REDUCTION(allreduce, intra_recursivedoubling)
REDUCTION(allreduce, intra_redscat_allgather)
REDUCTION(allreduce, intra_ring)
REDUCTION(allreduce, intra_ring_segmented)
REDUCTION(reduce, intra_basic_linear)
REDUCTION(reduce, intra_binary)
REDUCTION(reduce, intra_binomial)
REDUCTION(reduce, intra_chain)
REDUCTION(reduce, intra_in_order_binary)
REDUCTION(reduce, intra_pipeline)
REDUCTION(reduce, intra_redscat_gather)
REDUCTION(scan, intra_linear)
REDUCTION(scan, intra_recursivedoubling)
REDUCTION(exscan, intra_linear)
REDUCTION(exscan, intra_recursivedoubling)
REDUCTION(reduce_scatter_block, basic_linear)
REDUCTION(reduce_scatter_block, intra_butterfly)
REDUCTION(reduce_scatter_block, intra_recursivedoubling)
REDUCTION(reduce_scatter_block, intra_recursivehalving)

// reduce_scatter(send, receive, counts, datatype, ...); blocks are alike
#define REDUCE_SCATTER(rest) FUNCTION(reduce_scatter, rest, *reinterpret_cast<const int*>(a2), a3)
REDUCE_SCATTER(intra_basic_recursivehalving)
REDUCE_SCATTER(intra_butterfly)
REDUCE_SCATTER(intra_nonoverlapping)
REDUCE_SCATTER(intra_ring)

// allgather(send, its count, its datatype, receive, count, datatype, ...), and so is alltoall
#define ALL(operation, rest) FUNCTION(operation, rest, a4, a5)
ALL(allgather, intra_basic_linear)
ALL(allgather, intra_bruck)
ALL(allgather, intra_k_bruck)
ALL(allgather, intra_neighborexchange)
ALL(allgather, intra_recursivedoubling)
ALL(allgather, intra_ring)
ALL(allgather, intra_sparbit)
ALL(allgather, intra_two_procs)
ALL(alltoall, intra_basic_linear)
ALL(alltoall, intra_bruck)
ALL(alltoall, intra_linear_sync)
ALL(alltoall, intra_pairwise)
ALL(alltoall, intra_two_procs)

// gather: what each sends, which a root in place does not say
#define GATHER(rest) FUNCTION(gather, rest, in_place(a0) ? a4 : a1, in_place(a0) ? a5 : a2)
GATHER(intra_basic_linear)
GATHER(intra_binomial)
GATHER(intra_linear_sync)

// scatter: what each receives, which a root in place does not say
#define SCATTER(rest) FUNCTION(scatter, rest, in_place(a3) ? a1 : a4, in_place(a3) ? a2 : a5)
SCATTER(intra_basic_linear)
SCATTER(intra_binomial)
SCATTER(intra_linear_nb)
#endif
