// Proves that an MPI can compile, launch and pin: rank 0 prints how many ranks found each other and where each may run.
#include <mpi.h>

#include <cstdio>
#include <cstring>

namespace {

constexpr int width = 512;

void read_allowed_cpus(char (&list)[width]) {
    constexpr char field[] = "Cpus_allowed_list:";
    char line[width];
    std::FILE* status = std::fopen("/proc/self/status", "r");
    while (status != nullptr && std::fgets(line, width, status) != nullptr) {
        if (std::strncmp(line, field, sizeof field - 1) == 0) {
            std::sscanf(line + sizeof field - 1, " %511s", list);
        }
    }
    if (status != nullptr) {
        std::fclose(status);
    }
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char own[width] = "unknown";
    read_allowed_cpus(own);
    char* all = rank == 0 ? new char[static_cast<std::size_t>(size) * width] : nullptr;
    MPI_Gather(own, width, MPI_CHAR, all, width, MPI_CHAR, 0, MPI_COMM_WORLD);
    // A launcher that introduces ranks badly may fail only when they talk, or when a communicator is made.
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Barrier(host);
    MPI_Comm_free(&host);
    int sum = 1;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum != size) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank == 0) {
        char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
        int length = 0;
        MPI_Get_library_version(version, &length);
        std::printf("ranks %d\nlibrary %.*s\n", size, static_cast<int>(std::strcspn(version, "\n")), version);
        for (int r = 0; r < size; ++r) {
            std::printf("rank %d %s\n", r, all + static_cast<std::ptrdiff_t>(r) * width);
        }
    }
    delete[] all;
    MPI_Finalize();
}
