// The same as harmonized_reduce.c in C++: how long MPI_Reduce takes, its samples started together by MPIX_Harmonize.
//     mpicxx harmonized_reduce.cpp $(pkg-config --cflags --libs ictus) -o harmonized_reduce
//     mpiexec -n 2 ./harmonized_reduce [BYTES]
#include <algorithm>
#include <cstdlib>
#include <ictus/harmonize.h>
#include <iostream>
#include <vector>

namespace {

constexpr int wanted = 1000;
constexpr int most = 10000;
constexpr int batch = 16;

// Seconds of the valid samples among `batch` calls, of the slowest process each; the same on all processes.
template <class Call>
std::vector<double> measure_batch(MPI_Comm comm, Call call) {
    std::vector<int> flags(batch);
    std::vector<double> times(batch);
    for (int i = 0; i < batch; ++i) {
        MPIX_Harmonize(comm, &flags[i]); // all have come, and all go on now
        const double begin = MPI_Wtime();
        call();
        times[i] = MPI_Wtime() - begin;
    }
    MPI_Allreduce(MPI_IN_PLACE, flags.data(), batch, MPI_INT, MPI_LAND, comm);
    MPI_Allreduce(MPI_IN_PLACE, times.data(), batch, MPI_DOUBLE, MPI_MAX, comm);
    std::vector<double> valid;
    for (int i = 0; i < batch; ++i) {
        if (flags[i] != 0) {
            valid.push_back(times[i]);
        }
    }
    return valid;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const MPI_Comm comm = MPI_COMM_WORLD;
    const int bytes = argc > 1 ? std::atoi(argv[1]) : 8;
    if (bytes < 1) {
        std::cerr << "harmonized_reduce: BYTES is '" << argv[1] << "'; it must be a whole number above 0\n";
        MPI_Finalize();
        return 2;
    }
    std::vector<char> in(bytes), out(bytes);
    const auto reduce = [&] { MPI_Reduce(in.data(), out.data(), bytes, MPI_BYTE, MPI_BOR, 0, comm); };

    measure_batch(comm, reduce); // warms up: some libraries change their algorithm after the first calls
    std::vector<double> samples;
    int tried = 0;
    for (; static_cast<int>(samples.size()) < wanted && tried < most; tried += batch) {
        const std::vector<double> valid = measure_batch(comm, reduce);
        samples.insert(samples.end(), valid.begin(), valid.end());
    }

    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0 && !samples.empty()) {
        const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
        std::nth_element(samples.begin(), middle, samples.end());
        std::cout << "MPI_Reduce of " << bytes << " bytes: median " << 1e6 * *middle << " us over " << samples.size()
                  << " valid samples of " << tried << '\n';
    } else if (rank == 0) {
        std::cout << "MPI_Reduce of " << bytes << " bytes: NA, no valid sample among " << tried << '\n';
    }
    MPI_Finalize();
}
