/* An application-like loop that knows nothing of Ictus, to show what a redirect library gains (redirect.md): power
 * iteration, which finds the largest eigenvalue of a matrix whose columns are spread over the ranks. In every step each
 * rank multiplies its columns with its part of the vector, an MPI_Reduce_scatter adds up the products and gives each
 * rank its rows, an MPI_Allreduce tells the length of the result; every tenth step rank 0 gathers what each rank has
 * of it, as a program that writes a log would.
 *
 *     power_iteration [STEPS [ROWS]]
 *
 * Of the matrix I + v v', v = (1, 2, ..., ROWS) / ROWS, the largest eigenvalue is 1 + |v|^2: the program judges itself.
 * Prints it, and `loop_s = SECONDS` of the slowest rank. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { between_logs = 10 };

static int rank, size, n;

static double v(int row) { return (row + 1.0) / n; }

static double element(int row, int column) { return (row == column ? 1.0 : 0.0) + v(row) * v(column); }

static double* doubles(int count) {
    double* const made = calloc(count > 0 ? (size_t)count : 1, sizeof(double));
    if (made == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return made;
}

/* What this rank's columns contribute to all rows of the product. */
static void multiply(const double* columns, const double* x, int n_own, double* products) {
    for (int row = 0; row < n; ++row) {
        double sum = 0.0;
        for (int i = 0; i < n_own; ++i) {
            sum += columns[row * n_own + i] * x[i];
        }
        products[row] = sum;
    }
}

static double squared(const double* x, int n_own) {
    double sum = 0.0;
    for (int i = 0; i < n_own; ++i) {
        sum += x[i] * x[i];
    }
    return sum;
}

/* The eigenvalue after `steps` steps; `counts` says how many rows each rank has. */
static double iterate(int steps, const int* counts, const double* columns, double* x, double* log) {
    double* const products = doubles(n);
    double length = 0.0;
    for (int step = 0; step < steps; ++step) {
        multiply(columns, x, counts[rank], products);
        MPI_Reduce_scatter(products, x, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        const double own = squared(x, counts[rank]);
        MPI_Allreduce(&own, &length, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        length = sqrt(length);
        for (int i = 0; i < counts[rank]; ++i) {
            x[i] /= length;
        }
        if (step % between_logs == 0) {
            MPI_Gather(&own, 1, MPI_DOUBLE, log, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        }
    }
    free(products);
    return length;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int steps = argc > 1 ? atoi(argv[1]) : 20000;
    n = argc > 2 ? atoi(argv[2]) : 32;
    if (steps < 3 || n < 1) {
        fprintf(stderr, "power_iteration: STEPS is a number from 3, ROWS one from 1\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int* const counts = calloc((size_t)size, sizeof(int));
    int first = 0;
    for (int r = 0; r < size; ++r) {
        counts[r] = n / size + (r < n % size ? 1 : 0);
        first += r < rank ? counts[r] : 0;
    }
    double *const columns = doubles(n * counts[rank]), *const x = doubles(counts[rank]), *const log = doubles(size);
    for (int i = 0; i < counts[rank]; ++i) {
        x[i] = 1.0;
        for (int row = 0; row < n; ++row) {
            columns[row * counts[rank] + i] = element(row, first + i);
        }
    }

    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    const double eigenvalue = iterate(steps, counts, columns, x, log);
    const double own_s = MPI_Wtime() - begin;
    double loop_s = 0.0;
    MPI_Reduce(&own_s, &loop_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);

    double expected = 1.0;
    for (int row = 0; row < n; ++row) {
        expected += v(row) * v(row);
    }
    const int is_wrong = !(fabs(eigenvalue - expected) < 1e-6 * expected);
    if (rank == 0) {
        printf("eigenvalue = %.10f%s\nloop_s = %.9f\n", eigenvalue, is_wrong ? ", which is wrong" : "", loop_s);
    }
    free(log);
    free(x);
    free(columns);
    free(counts);
    MPI_Finalize();
    return is_wrong;
}
