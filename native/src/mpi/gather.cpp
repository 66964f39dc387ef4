#include "mpi/gather.hpp"

#include "mpi/check.hpp"

namespace ictus::mpi {
namespace {

int rank_of(MPI_Comm comm) {
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    return rank;
}

std::size_t size_of(MPI_Comm comm) {
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    return static_cast<std::size_t>(size);
}

} // namespace

std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& text) {
    const bool root = rank_of(comm) == 0;
    const int length = static_cast<int>(text.size());
    std::vector<int> lengths(root ? size_of(comm) : 0);
    check(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm), "MPI_Gather");
    std::vector<int> places;
    int total = 0;
    for (const int one : lengths) {
        places.push_back(total);
        total += one;
    }
    std::string all(static_cast<std::size_t>(total), ' ');
    check(MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR, 0, comm),
          "MPI_Gatherv");
    std::vector<std::string> texts;
    texts.reserve(lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        texts.push_back(all.substr(static_cast<std::size_t>(places[i]), static_cast<std::size_t>(lengths[i])));
    }
    return texts;
}

std::vector<double> gather_values(MPI_Comm comm, std::span<const double> values) {
    const int count = static_cast<int>(values.size());
    std::vector<double> all(rank_of(comm) == 0 ? values.size() * size_of(comm) : 0);
    check(MPI_Gather(values.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0, comm), "MPI_Gather");
    return all;
}

} // namespace ictus::mpi
