#include "preload/stand_in.hpp"

#include "mpi/handles.hpp"

#include <algorithm>
#include <cstring>

namespace ictus::preload {
namespace {

bool all_have_room(MPI_Comm comm, bool has_room) {
    int all = has_room ? 1 : 0;
    mpi::check(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
    return all != 0;
}

} // namespace

StandIn::StandIn(MPI_Comm comm, const PreloadSettings& settings, const TracingClock* clock, std::uint64_t number,
                 bool has_room)
    : program_comm_(comm),
      synchroniser_(Synchroniser::create(comm, {settings.procsync, settings.clocksync, settings.clock})), clock_(clock),
      exits_(0) {
    const MPI_Comm own = synchroniser_->communicator().handle();
    name_communicator(comm, number);
    const bool logs = all_have_room(own, clock != nullptr && has_room);
    exits_ = ExitLog(logs ? settings.log_limit : 0);
    if (!logs) {
        clock_ = nullptr;
    }
}

StandIn::~StandIn() {
    if (owner_ != nullptr) {
        owner_->retire(*this);
    }
}

void StandIn::name_communicator(MPI_Comm comm, std::uint64_t number) {
    int rank = 0;
    mpi::check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    std::uint64_t id[] = {static_cast<std::uint64_t>(rank), number};
    mpi::check(MPI_Bcast(id, 2, MPI_UINT64_T, 0, synchroniser_->communicator().handle()), "MPI_Bcast");
    tally_.creator = id[0];
    tally_.number = id[1];
    tally_.n_ranks = static_cast<std::uint64_t>(synchroniser_->transport().size());
    tally_.rank = static_cast<std::uint64_t>(synchroniser_->transport().rank());
    char name[MPI_MAX_OBJECT_NAME] = {};
    int length = 0;
    mpi::check(MPI_Comm_get_name(comm, name, &length), "MPI_Comm_get_name");
    std::copy_n(name, std::min(std::strlen(name), sizeof tally_.name - 1), tally_.name);
}

void StandIn::wait() {
    const std::uint64_t barrier = tally_.calls++;
    exits_.make_room(barrier);
    const SampleFlags flags = synchroniser_->start();
    if (clock_ != nullptr) {
        exits_.add(barrier, clock_->ticks(), flags);
    }
    tally_.missed += (flags & late_flag) != 0 ? 1 : 0;
}

Tally StandIn::tally() const {
    Tally tally = tally_;
    if (tally.rank == 0) {
        tally.communicators = 1;
        tally.barriers = tally.calls;
    }
    tally.kept = exits_.kept();
    tally.stride = exits_.stride();
    tally.bound_in_windows = tally.calls > 0 ? synchroniser_->bound_in_windows() : 0.0;
    return tally;
}

} // namespace ictus::preload
