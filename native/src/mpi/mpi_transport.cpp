#include "mpi/mpi_transport.hpp"

#include "base/defaults.hpp"
#include "mpi/handles.hpp"

namespace ictus::mpi {
namespace {

constexpr int control_tag = 7;

} // namespace

MpiTransport::MpiTransport(Communicator comm, Clock& clock, RankLocations locations)
    : comm_(std::move(comm)), clock_(clock), locations_(std::move(locations)), rank_(comm_.rank()),
      size_(comm_.size()) {}

void MpiTransport::send(int to, std::span<const std::byte> message) {
    ++sent_;
    check(MPI_Send(message.data(), static_cast<int>(message.size()), MPI_BYTE, to, control_tag, comm_.handle()),
          "MPI_Send");
}

void MpiTransport::receive(int from, std::span<std::byte> message) {
    check(MPI_Recv(message.data(), static_cast<int>(message.size()), MPI_BYTE, from, control_tag, comm_.handle(),
                   MPI_STATUS_IGNORE),
          "MPI_Recv");
}

void MpiTransport::poll(int from, std::span<std::byte> message) {
    // Some 50 ns each. In SimGrid's time a look lasts 0.1 ms, and a receive ends as soon as the message is there.
    constexpr int looks = is_simulated ? 0 : 200;
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Irecv(message.data(), static_cast<int>(message.size()), MPI_BYTE, from, control_tag, comm_.handle(),
                    &request),
          "MPI_Irecv");
    int arrived = 0;
    for (int look = 0; arrived == 0 && look < looks; ++look) {
        check(MPI_Test(&request, &arrived, MPI_STATUS_IGNORE), "MPI_Test");
    }
    check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait"); // at once where it has arrived
}

void MpiTransport::exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) {
    ++sent_;
    check(MPI_Sendrecv(out.data(), static_cast<int>(out.size()), MPI_BYTE, to, control_tag, in.data(),
                       static_cast<int>(in.size()), MPI_BYTE, from, control_tag, comm_.handle(), MPI_STATUS_IGNORE),
          "MPI_Sendrecv");
}

void MpiTransport::exchange_all(std::span<const MessagePair> all) {
    requests_.clear();
    for (const MessagePair& one : all) {
        check(MPI_Irecv(one.in.data(), static_cast<int>(one.in.size()), MPI_BYTE, one.from, control_tag, comm_.handle(),
                        &requests_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Irecv");
    }
    for (const MessagePair& one : all) {
        ++sent_;
        check(MPI_Isend(one.out.data(), static_cast<int>(one.out.size()), MPI_BYTE, one.to, control_tag, comm_.handle(),
                        &requests_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Isend");
    }
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

void MpiTransport::library_barrier() { check(MPI_Barrier(comm_.handle()), "MPI_Barrier"); }

} // namespace ictus::mpi
