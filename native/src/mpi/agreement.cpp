#include "mpi/agreement.hpp"

#include "mpi/check.hpp"

#include <algorithm>
#include <cstring>

namespace ictus::mpi {
namespace {

struct Message {
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
    Message message;
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

} // namespace ictus::mpi
