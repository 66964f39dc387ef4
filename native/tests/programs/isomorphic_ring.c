/* A ring by ictus/isomorphic.h in C99. Exits with 1 where a process does not get the number of the one before. */
#include <ictus/isomorphic.h>

int main(int argc, char** argv) {
    int lengths[] = {0}, periodic[] = {1}, offsets[] = {1}, n, rank, before, out, in = -1;
    MPI_Comm cart;
    ictus_isomorphic* next;
    ictus_isomorphic_exchange* exchange;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Dims_create(n, 1, lengths);
    MPI_Cart_create(MPI_COMM_WORLD, 1, lengths, periodic, 0, &cart);
    MPI_Comm_rank(cart, &rank);
    out = 10 * rank;
    ictus_isomorphic_create(cart, 1, offsets, &next);
    ictus_isomorphic_ranks(next, &before, &n);
    ictus_isomorphic_allgather_init(&out, 1, MPI_INT, &in, 1, MPI_INT, next, ICTUS_ISOMORPHIC_DIRECT, &exchange);
    ictus_isomorphic_run(exchange);
    ictus_isomorphic_exchange_free(&exchange);
    ictus_isomorphic_free(&next);
    MPI_Comm_free(&cart);
    MPI_Finalize();
    return in == 10 * before ? 0 : 1;
}
