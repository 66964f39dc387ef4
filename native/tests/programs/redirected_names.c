/* Calls the collectives that have mock-ups under each name that Fortran compilers make of them, as a Fortran program
 * would: without a Fortran compiler, and where the library has no Fortran at all, the redirect library answers. In
 * place and at the bottom of memory by the variables that Open MPI's Fortran knows these by. Prints how many names
 * answered and what they gave. */
#include <mpi.h>
#include <stdio.h>

typedef const MPI_Fint* in;
typedef void message(void*, in, in, in, in, MPI_Fint*);
typedef void reduction(void*, void*, in, in, in, in, MPI_Fint*);
typedef void blocks(void*, in, in, void*, in, in, in, MPI_Fint*);
typedef void rooted_blocks(void*, in, in, void*, in, in, in, in, MPI_Fint*);
typedef void rooted_reduction(void*, void*, in, in, in, in, in, MPI_Fint*);

#define DECLARE(type, name, NAME)                                                                                      \
    extern __attribute__((weak)) type mpi_##name, mpi_##name##_, mpi_##name##__, MPI_##NAME, mpi_##name##_f08_
#define NAMES(type, name, NAME)                                                                                        \
    type* const name##_names[] = {mpi_##name, mpi_##name##_, mpi_##name##__, MPI_##NAME, mpi_##name##_f08_}

int mpi_fortran_in_place_, mpi_fortran_bottom_;

extern __attribute__((weak)) void mpi_init_(MPI_Fint*), mpi_finalize_(MPI_Fint*);

static int answered, wrong, rank, size;

static void judge(int found, int expected) {
    ++answered;
    if (found != expected) {
        ++wrong;
        fprintf(stderr, "answer %d is %d, not %d\n", answered, found, expected);
    }
}

DECLARE(message, bcast, BCAST);
DECLARE(reduction, allreduce, ALLREDUCE);
DECLARE(reduction, scan, SCAN);
DECLARE(reduction, reduce_scatter, REDUCE_SCATTER);
DECLARE(reduction, reduce_scatter_block, REDUCE_SCATTER_BLOCK);
DECLARE(rooted_reduction, reduce, REDUCE);
DECLARE(blocks, allgather, ALLGATHER);
DECLARE(rooted_blocks, gather, GATHER);
DECLARE(rooted_blocks, scatter, SCATTER);

static void call_all(int i) {
    NAMES(message, bcast, BCAST);
    NAMES(reduction, allreduce, ALLREDUCE);
    NAMES(reduction, scan, SCAN);
    NAMES(reduction, reduce_scatter, REDUCE_SCATTER);
    NAMES(reduction, reduce_scatter_block, REDUCE_SCATTER_BLOCK);
    NAMES(rooted_reduction, reduce, REDUCE);
    NAMES(blocks, allgather, ALLGATHER);
    NAMES(rooted_blocks, gather, GATHER);
    NAMES(rooted_blocks, scatter, SCATTER);
    if (bcast_names[i] == NULL) {
        return;
    }
    const MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD), type = MPI_Type_c2f(MPI_INT), sum = MPI_Op_c2f(MPI_SUM);
    const MPI_Fint one = 1, root = size - 1, ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
    MPI_Fint error = -1;
    int own = rank + 1, all[8] = {0}, out = 0, sent[8];
    const int total = size * (size + 1) / 2;
    for (int r = 0; r < size; ++r) {
        sent[r] = 10 * rank + r;
    }
    int number = rank == root ? 42 : 0;
    bcast_names[i](&number, &one, &type, &root, &world, &error);
    judge(number + error, 42);
    allreduce_names[i](&own, &out, &one, &type, &sum, &world, &error);
    judge(out + error, total);
    out = own;
    allreduce_names[i](&mpi_fortran_in_place_, &out, &one, &type, &sum, &world, NULL);
    judge(out, total);
    scan_names[i](&own, &out, &one, &type, &sum, &world, &error);
    judge(out + error, own * (own + 1) / 2);
    const int of_block = 10 * size * (size - 1) / 2 + size * rank;
    reduce_scatter_names[i](sent, &out, ones, &type, &sum, &world, &error);
    judge(out + error, of_block);
    reduce_scatter_block_names[i](sent, &out, &one, &type, &sum, &world, &error);
    judge(out + error, of_block);
    out = 0;
    reduce_names[i](&own, &out, &one, &type, &sum, &root, &world, &error);
    judge(out + error, rank == root ? total : 0);
    allgather_names[i](&own, &one, &type, all, &one, &type, &world, &error);
    judge(all[0] + 100 * all[size - 1] + error, 1 + 100 * size);
    all[0] = all[size - 1] = 0;
    gather_names[i](&own, &one, &type, all, &one, &type, &root, &world, &error);
    judge(all[0] + 100 * all[size - 1] + error, rank == root ? 1 + 100 * size : 0);
    scatter_names[i](sent, &one, &type, &out, &one, &type, &root, &world, &error);
    judge(out + error, 10 * root + rank);

    MPI_Aint place; /* absolute: told at the bottom of memory */
    const int lengths[] = {1};
    MPI_Datatype absolute;
    MPI_Get_address(&number, &place);
    MPI_Type_create_hindexed(1, lengths, &place, MPI_INT, &absolute);
    MPI_Type_commit(&absolute);
    const MPI_Fint handle = MPI_Type_c2f(absolute);
    number = rank == root ? 43 : 0;
    bcast_names[i](&mpi_fortran_bottom_, &one, &handle, &root, &world, &error);
    judge(number + error, 43);
    MPI_Type_free(&absolute);
}

int main(void) {
    MPI_Fint error = MPI_SUCCESS;
    if (mpi_init_ != NULL) {
        mpi_init_(&error);
    } else {
        MPI_Init(NULL, NULL);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 5; ++i) {
        call_all(i);
    }
    printf("rank %d: %d answered, %d wrong\n", rank, answered, wrong);
    fflush(stdout);
    if (mpi_finalize_ != NULL) {
        mpi_finalize_(&error);
    } else {
        MPI_Finalize();
    }
    return wrong != 0 || error != MPI_SUCCESS;
}
