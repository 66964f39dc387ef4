#include "mpi/agreement.hpp"

#include "mpi/handles.hpp"

#include <cstring>

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

namespace {

struct ErrorMessage {
    int kind = 0;
    char text[1020] = {};
};

} // namespace

void agree(MPI_Comm comm, const std::optional<Error>& own) {
    int rank = 0;
    int size = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    const int mine = own ? rank : size;
    int first = size;
    check(MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
    if (first == size) {
        return;
    }
    ErrorMessage message;
    if (own) {
        message.kind = static_cast<int>(own->kind());
        std::strncpy(message.text, own->what(), sizeof message.text - 1);
    }
    check(MPI_Bcast(&message, static_cast<int>(sizeof message), MPI_BYTE, first, comm), "MPI_Bcast");
    throw Error(static_cast<Error::Kind>(message.kind), "rank " + std::to_string(first) + ": " + message.text);
}

std::string text_of_root(MPI_Comm comm, std::string text) {
    auto length = static_cast<int>(text.size());
    check(MPI_Bcast(&length, 1, MPI_INT, 0, comm), "MPI_Bcast");
    text.resize(static_cast<std::size_t>(length));
    check(MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm), "MPI_Bcast");
    return text;
}

std::string text_by_messages(MPI_Comm comm, std::string text) {
    const int rank = rank_of(comm);
    const auto size = static_cast<int>(size_of(comm));
    int step = 1;
    while (step < size && (rank & step) == 0) {
        step *= 2;
    }
    if (rank != 0) {
        MPI_Status status;
        int length = 0;
        check(MPI_Probe(rank - step, 0, comm, &status), "MPI_Probe");
        check(MPI_Get_count(&status, MPI_CHAR, &length), "MPI_Get_count");
        text.resize(static_cast<std::size_t>(length));
        check(MPI_Recv(text.data(), length, MPI_CHAR, rank - step, 0, comm, MPI_STATUS_IGNORE), "MPI_Recv");
    }
    for (step /= 2; step > 0; step /= 2) {
        if (rank + step < size) {
            check(MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank + step, 0, comm), "MPI_Send");
        }
    }
    return text;
}

} // namespace ictus::mpi
