// A communicator of another program, prepared for our algorithms: a private duplicate for our messages, a clock that
// the ranks of a host share, and the transport of both. One duplicate for all users: libraries allow some two thousand
// communicators at a time.
#pragma once

#include "clock/clock.hpp"
#include "mpi/foreign_communicator.hpp"
#include "mpi/mpi_transport.hpp"

namespace ictus {

class ClockedCommunicator {
public:
    /// Collective over `comm`, which must be an intracommunicator. Throws the same Error on all ranks.
    ClockedCommunicator(MPI_Comm comm, const Bound& clock);

    [[nodiscard]] Clock& clock() const { return *clock_; }
    [[nodiscard]] Transport& transport() { return transport_; }
    /// The private duplicate: for agreements of our own.
    [[nodiscard]] MPI_Comm handle() const { return transport_.handle(); }
    /// Its place in the order of freeing.
    [[nodiscard]] const AttachedValue::Order& order() const { return order_; }
    /// The clock with all its parameters and its frequency, for the record.
    [[nodiscard]] const std::string& description() const { return description_; }

private:
    mpi::MpiTransport connect(MPI_Comm comm, const Bound& clock);

    std::unique_ptr<Clock> clock_; // the transport reads it
    mpi::MpiTransport transport_;
    std::string description_;
    AttachedValue::Order order_;
};

/// Throws an Error (MPI's class: MPI_ERR_COMM) unless MPI runs and there is a communicator; `caller` is the function
/// that was called.
void require_communicator(MPI_Comm comm, const char* caller);
/// And unless it is an intracommunicator.
void require_intracommunicator(MPI_Comm comm, const char* caller);

} // namespace ictus
