// The same functions for Fortran programs, under every name that Fortran compilers give them. MPICH's call its C
// functions, which are replaced; Open MPI's do not, so they are replaced here too. The two are distinguished by what
// must be known anyway: Open MPI's constants MPI_IN_PLACE and MPI_BOTTOM, which in Fortran are variables. Without them
// the library's Fortran function is called; where there is none, MPI's C function.
#include "mpi/fortran.hpp"
#include "mpi/fortran_constants.hpp"
#include "redirect/calls.hpp"
#include "redirect/program.hpp"

static_assert(sizeof(MPI_Fint) == sizeof(int));

namespace {

using namespace ictus;
using mpi::fortran::buffer;
using mpi::fortran::give;
using mpi::fortran::next;
using FortranInt = const MPI_Fint*;

/// The library's function of this name, unless it would bypass the replaced C functions.
template <class Function, class... Arguments>
bool left_to_library(const char* name, Arguments... arguments) {
    Function* const library = mpi::fortran::has_constants() ? nullptr : next<Function>(name);
    if (library != nullptr) {
        library(arguments...);
    }
    return library != nullptr;
}

MPI_Comm comm_of(FortranInt handle) { return PMPI_Comm_f2c(*handle); }
MPI_Datatype type_of(FortranInt handle) { return PMPI_Type_f2c(*handle); }
MPI_Op op_of(FortranInt handle) { return PMPI_Op_f2c(*handle); }

void init(const char* name, MPI_Fint* error) { mpi::fortran::init(name, error, redirect::begin); }
void init_thread(const char* name, FortranInt required, MPI_Fint* provided, MPI_Fint* error) {
    mpi::fortran::init_thread(name, required, provided, error, redirect::begin);
}
void finalize(const char* name, MPI_Fint* error) { mpi::fortran::finalize(name, error, redirect::end); }

using BlocksCall = void(void*, FortranInt, FortranInt, void*, FortranInt, FortranInt, FortranInt, MPI_Fint*);
using RootedBlocksCall = void(void*, FortranInt, FortranInt, void*, FortranInt, FortranInt, FortranInt, FortranInt,
                              MPI_Fint*);
using ReductionCall = void(void*, void*, FortranInt, FortranInt, FortranInt, FortranInt, MPI_Fint*);
using RootedReductionCall = void(void*, void*, FortranInt, FortranInt, FortranInt, FortranInt, FortranInt, MPI_Fint*);
using MessageCall = void(void*, FortranInt, FortranInt, FortranInt, FortranInt, MPI_Fint*);

void allgather(const char* name, void* send, FortranInt n, FortranInt sent, void* receive, FortranInt count,
               FortranInt type, FortranInt comm, MPI_Fint* error) {
    if (!left_to_library<BlocksCall>(name, send, n, sent, receive, count, type, comm, error)) {
        give(error, redirect::allgather(buffer(send), *n, type_of(sent), buffer(receive), *count, type_of(type),
                                        comm_of(comm)));
    }
}

using RootedBlocks = int(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm) noexcept;

template <RootedBlocks* call>
void rooted(const char* name, void* send, FortranInt n, FortranInt sent, void* receive, FortranInt count,
            FortranInt type, FortranInt root, FortranInt comm, MPI_Fint* error) {
    if (!left_to_library<RootedBlocksCall>(name, send, n, sent, receive, count, type, root, comm, error)) {
        give(error,
             call(buffer(send), *n, type_of(sent), buffer(receive), *count, type_of(type), *root, comm_of(comm)));
    }
}

using Reduction = int(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm) noexcept;

template <Reduction* call>
void reduction(const char* name, void* send, void* receive, FortranInt count, FortranInt type, FortranInt op,
               FortranInt comm, MPI_Fint* error) {
    if (!left_to_library<ReductionCall>(name, send, receive, count, type, op, comm, error)) {
        give(error, call(buffer(send), buffer(receive), *count, type_of(type), op_of(op), comm_of(comm)));
    }
}

void reduce_scatter(const char* name, void* send, void* receive, FortranInt counts, FortranInt type, FortranInt op,
                    FortranInt comm, MPI_Fint* error) {
    if (!left_to_library<ReductionCall>(name, send, receive, counts, type, op, comm, error)) {
        give(error,
             redirect::reduce_scatter(buffer(send), buffer(receive), counts, type_of(type), op_of(op), comm_of(comm)));
    }
}

void reduce(const char* name, void* send, void* receive, FortranInt count, FortranInt type, FortranInt op,
            FortranInt root, FortranInt comm, MPI_Fint* error) {
    if (!left_to_library<RootedReductionCall>(name, send, receive, count, type, op, root, comm, error)) {
        give(error,
             redirect::reduce(buffer(send), buffer(receive), *count, type_of(type), op_of(op), *root, comm_of(comm)));
    }
}

void bcast(const char* name, void* message, FortranInt count, FortranInt type, FortranInt root, FortranInt comm,
           MPI_Fint* error) {
    if (!left_to_library<MessageCall>(name, message, count, type, root, comm, error)) {
        give(error, redirect::bcast(buffer(message), *count, type_of(type), *root, comm_of(comm)));
    }
}

} // namespace

// One spelling: `PREFIX(lower, UPPER)` is its name.
#define ICTUS_FORTRAN(NAME)                                                                                            \
    void NAME(init, INIT)(MPI_Fint * e) { init(ICTUS_TEXT(NAME(init, INIT)), e); }                                     \
    void NAME(init_thread, INIT_THREAD)(FortranInt required, MPI_Fint * provided, MPI_Fint * e) {                      \
        init_thread(ICTUS_TEXT(NAME(init_thread, INIT_THREAD)), required, provided, e);                                \
    }                                                                                                                  \
    void NAME(finalize, FINALIZE)(MPI_Fint * e) { finalize(ICTUS_TEXT(NAME(finalize, FINALIZE)), e); }                 \
    void NAME(allgather, ALLGATHER)(void* s, FortranInt n, FortranInt t, void* r, FortranInt m, FortranInt u,          \
                                    FortranInt c, MPI_Fint* e) {                                                       \
        allgather(ICTUS_TEXT(NAME(allgather, ALLGATHER)), s, n, t, r, m, u, c, e);                                     \
    }                                                                                                                  \
    void NAME(gather, GATHER)(void* s, FortranInt n, FortranInt t, void* r, FortranInt m, FortranInt u,                \
                              FortranInt root, FortranInt c, MPI_Fint* e) {                                            \
        rooted<redirect::gather>(ICTUS_TEXT(NAME(gather, GATHER)), s, n, t, r, m, u, root, c, e);                      \
    }                                                                                                                  \
    void NAME(scatter, SCATTER)(void* s, FortranInt n, FortranInt t, void* r, FortranInt m, FortranInt u,              \
                                FortranInt root, FortranInt c, MPI_Fint* e) {                                          \
        rooted<redirect::scatter>(ICTUS_TEXT(NAME(scatter, SCATTER)), s, n, t, r, m, u, root, c, e);                   \
    }                                                                                                                  \
    void NAME(allreduce, ALLREDUCE)(void* s, void* r, FortranInt n, FortranInt t, FortranInt op, FortranInt c,         \
                                    MPI_Fint* e) {                                                                     \
        reduction<redirect::allreduce>(ICTUS_TEXT(NAME(allreduce, ALLREDUCE)), s, r, n, t, op, c, e);                  \
    }                                                                                                                  \
    void NAME(scan, SCAN)(void* s, void* r, FortranInt n, FortranInt t, FortranInt op, FortranInt c, MPI_Fint* e) {    \
        reduction<redirect::scan>(ICTUS_TEXT(NAME(scan, SCAN)), s, r, n, t, op, c, e);                                 \
    }                                                                                                                  \
    void NAME(reduce_scatter_block, REDUCE_SCATTER_BLOCK)(void* s, void* r, FortranInt n, FortranInt t, FortranInt op, \
                                                          FortranInt c, MPI_Fint* e) {                                 \
        reduction<redirect::reduce_scatter_block>(ICTUS_TEXT(NAME(reduce_scatter_block, REDUCE_SCATTER_BLOCK)), s, r,  \
                                                  n, t, op, c, e);                                                     \
    }                                                                                                                  \
    void NAME(reduce_scatter, REDUCE_SCATTER)(void* s, void* r, FortranInt n, FortranInt t, FortranInt op,             \
                                              FortranInt c, MPI_Fint* e) {                                             \
        reduce_scatter(ICTUS_TEXT(NAME(reduce_scatter, REDUCE_SCATTER)), s, r, n, t, op, c, e);                        \
    }                                                                                                                  \
    void NAME(reduce, REDUCE)(void* s, void* r, FortranInt n, FortranInt t, FortranInt op, FortranInt root,            \
                              FortranInt c, MPI_Fint* e) {                                                             \
        reduce(ICTUS_TEXT(NAME(reduce, REDUCE)), s, r, n, t, op, root, c, e);                                          \
    }                                                                                                                  \
    void NAME(bcast, BCAST)(void* m, FortranInt n, FortranInt t, FortranInt root, FortranInt c, MPI_Fint* e) {         \
        bcast(ICTUS_TEXT(NAME(bcast, BCAST)), m, n, t, root, c, e);                                                    \
    }

#define ICTUS_TEXT(name) ICTUS_TEXT_OF(name)
#define ICTUS_TEXT_OF(name) #name
#define ICTUS_PLAIN(lower, upper) mpi_##lower
#define ICTUS_ONE(lower, upper) mpi_##lower##_
#define ICTUS_TWO(lower, upper) mpi_##lower##__
#define ICTUS_UPPER(lower, upper) MPI_##upper
#define ICTUS_F08(lower, upper) mpi_##lower##_f08_

extern "C" {

ICTUS_FORTRAN(ICTUS_PLAIN)
ICTUS_FORTRAN(ICTUS_ONE)
ICTUS_FORTRAN(ICTUS_TWO)
ICTUS_FORTRAN(ICTUS_UPPER)
ICTUS_FORTRAN(ICTUS_F08)

} // extern "C"
