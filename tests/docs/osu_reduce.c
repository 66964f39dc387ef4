/* Stands for a benchmark of somebody else in tests of tutorials: classic form, OSU's output. Its options are ignored.
 */
#include <mpi.h>
#include <stdio.h>

enum { repetitions = 200, largest = 1024 };

int main(int argc, char** argv) {
    static char in[largest], out[largest];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        printf("# OSU MPI Reduce Latency Test v7.4\n# Size       Avg Latency(us)\n");
    }
    for (int bytes = 8; bytes <= largest; bytes *= 2) {
        double spent = 0.0, mean = 0.0;
        for (int i = 0; i < repetitions; ++i) {
            MPI_Barrier(MPI_COMM_WORLD);
            const double begin = MPI_Wtime();
            MPI_Reduce(in, out, bytes, MPI_BYTE, MPI_BOR, 0, MPI_COMM_WORLD);
            spent += MPI_Wtime() - begin;
        }
        spent *= 1e6 / repetitions;
        MPI_Reduce(&spent, &mean, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            int size;
            MPI_Comm_size(MPI_COMM_WORLD, &size);
            printf("%-10d%18.2f\n", bytes, mean / size);
        }
    }
    MPI_Finalize();
    return 0;
}
