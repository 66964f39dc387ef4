#include "mpi/rank_locations.hpp"

#include "base/defaults.hpp"

#include <cstdint>

namespace ictus::mpi {
namespace {

constexpr int tag = 8;
constexpr int ints_a_rank = 3;
static_assert(sizeof(RankLocation) == ints_a_rank * sizeof(int));

void send(const Communicator& host, int to, std::span<const std::byte> message) {
    check(MPI_Send(message.data(), static_cast<int>(message.size()), MPI_BYTE, to, tag, host.handle()), "MPI_Send");
}

void receive(const Communicator& host, int from, std::span<std::byte> message) {
    check(MPI_Recv(message.data(), static_cast<int>(message.size()), MPI_BYTE, from, tag, host.handle(),
                   MPI_STATUS_IGNORE),
          "MPI_Recv");
}

/// On the first rank of each host: everyone's location, into `all`.
void gather(MPI_Comm comm, const Communicator& host, const RankLocation& own, std::span<RankLocation> all) {
    check(MPI_Gather(&own, ints_a_rank, MPI_INT, all.data(), ints_a_rank, MPI_INT, 0, comm), "MPI_Gather");
    int size = 0;
    int rank = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    if (host.size() == size) {
        return; // one host: the first rank has them
    }
    const Communicator leaders = Communicator::part(comm, host.rank() == 0, 0, rank);
    if (host.rank() == 0) {
        check(MPI_Bcast(all.data(), size * ints_a_rank, MPI_INT, 0, leaders.handle()), "MPI_Bcast");
    }
}

} // namespace

// Messages within the host go one by one: a library whose collectives are wrong is to fail the check of its results,
// not here, and ranks that cannot open the pages are then a matter of each rank alone.
RankLocations::RankLocations(MPI_Comm comm, const Communicator& host, const RankLocation& own) {
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    const auto n_ranks = static_cast<std::size_t>(size);
    const std::size_t size_bytes = n_ranks * sizeof(RankLocation);
    machine::SharedPages::Place place;
    std::uint8_t sees_pages = 0;
    if (host.rank() != 0) {
        receive(host, 0, std::as_writable_bytes(std::span(&place, 1)));
        if (place.file >= 0) {
            pages_ = machine::SharedPages::open(place, size_bytes);
        }
        sees_pages = pages_ ? 1 : 0;
        send(host, 0, std::as_bytes(std::span(&sees_pages, 1)));
        gather(comm, host, own, {});
        copy_.resize(pages_ ? 0 : n_ranks);
        receive(host, 0, std::as_writable_bytes(std::span(copy_))); // nothing where there are pages: they are filled
    } else {
        if (!is_simulated && host.size() > 1) { // simulated ranks of one process privatise their memory
            pages_ = machine::SharedPages::create(size_bytes);
            place = pages_ ? pages_->place() : place;
        }
        std::vector<std::uint8_t> see_pages(static_cast<std::size_t>(host.size()));
        for (int member = 1; member < host.size(); ++member) {
            send(host, member, std::as_bytes(std::span(&place, 1)));
        }
        for (int member = 1; member < host.size(); ++member) {
            receive(host, member, std::as_writable_bytes(std::span(&see_pages[static_cast<std::size_t>(member)], 1)));
        }
        copy_.resize(pages_ ? 0 : n_ranks);
        const std::span<RankLocation> filled =
            pages_ ? std::span(reinterpret_cast<RankLocation*>(pages_->data()), n_ranks) : std::span(copy_);
        gather(comm, host, own, filled);
        for (int member = 1; member < host.size(); ++member) {
            const bool sees = see_pages[static_cast<std::size_t>(member)] != 0;
            send(host, member, sees ? std::span<const std::byte>() : std::as_bytes(filled));
        }
    }
    if (pages_) {
        pages_->close();
        pages_->protect();
    }
}

std::span<const RankLocation> RankLocations::all() const {
    if (!pages_) {
        return copy_;
    }
    return {reinterpret_cast<const RankLocation*>(pages_->data()), pages_->size_bytes() / sizeof(RankLocation)};
}

} // namespace ictus::mpi
