#include "interface/clocked_communicator.hpp"

#include "interface/mpi_error.hpp"
#include "mpi/agreement.hpp"
#include "mpi/foreign_communicator.hpp"
#include "mpi/handles.hpp"
#include "mpi/hosts.hpp"

namespace ictus {

ClockedCommunicator::ClockedCommunicator(MPI_Comm comm, const Bound& clock)
    : transport_(connect(comm, clock)),
      description_(to_string(clock.spec()) + ", " + std::to_string(clock_->frequency_hz()) + " Hz (" +
                   clock_->frequency_source() + ")"),
      order_(mpi::agreed_order(transport_.handle())) {}

mpi::MpiTransport ClockedCommunicator::connect(MPI_Comm comm, const Bound& clock) {
    mpi::Communicator own = mpi::Communicator::without_attributes(comm);
    const mpi::HostTopology topology = mpi::read_topology(own.handle());
    clock_ = mpi::agreed(own.handle(), [&] { return mpi::make_host_clock(clock, topology, own.rank()); });
    mpi::RankLocations locations = mpi::claim_domains(topology, own.handle(), mpi::DomainClaim::automatic, *clock_);
    return {std::move(own), *clock_, std::move(locations)};
}

void require_communicator(MPI_Comm comm, const char* caller) {
    const auto name = [&] { return std::string(caller); };
    if (!mpi::is_usable(comm)) {
        throw usage_error("MPI is not initialised: call MPI_Init before " + name());
    }
    int yes = 0;
    if (MPI_Finalized(&yes); yes != 0) {
        throw usage_error("MPI is finalised: " + name() + " must come before MPI_Finalize");
    }
    if (comm == MPI_COMM_NULL) {
        throw MpiError(MPI_ERR_COMM, name() + ": the communicator is MPI_COMM_NULL; it must be an intracommunicator");
    }
}

void require_intracommunicator(MPI_Comm comm, const char* caller) {
    require_communicator(comm, caller);
    int yes = 0;
    mpi::check(MPI_Comm_test_inter(comm, &yes), "MPI_Comm_test_inter");
    if (yes != 0) {
        throw MpiError(MPI_ERR_COMM, std::string(caller) + ": the communicator is an intercommunicator: merge it with "
                                                           "MPI_Intercomm_merge");
    }
}

} // namespace ictus
