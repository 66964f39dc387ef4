// Where ranks run: one list on each host, and a copy where its pages cannot be seen.
#include "check.hpp"
#include "check_mpi.hpp"
#include "mpi/rank_locations.hpp"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/resource.h>

using namespace ictus;
using mpi::Communicator;
using mpi::RankLocations;

namespace {

int own_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/// Ranks dealt out to so many hosts in turn, all of which are this one.
struct Hosts {
    explicit Hosts(int n_hosts)
        : host(Communicator::part(MPI_COMM_WORLD, true, own_rank() % n_hosts, own_rank())),
          own{own_rank() % n_hosts, 100 + own_rank(), -own_rank()} {}

    Communicator host;
    RankLocation own;
};

void check_list(std::span<const RankLocation> all, int n_hosts) {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK_EQ(static_cast<std::size_t>(size), all.size());
    for (int rank = 0; rank < size; ++rank) {
        CHECK((all[static_cast<std::size_t>(rank)] == RankLocation{rank % n_hosts, 100 + rank, -rank}));
    }
}

/// The number of the file whose pages lie there, 0 for the heap, and how they may be used.
std::pair<std::uint64_t, std::string> mapping_of(const void* address) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::uint64_t first = 0;
        std::uint64_t end = 0;
        std::uint64_t number = 0;
        std::string rights;
        std::string skipped;
        char dash = 0;
        std::istringstream words(line);
        words >> std::hex >> first >> dash >> end >> rights >> skipped >> skipped >> std::dec >> number;
        const auto wanted = reinterpret_cast<std::uintptr_t>(address);
        if (first <= wanted && wanted < end) {
            return {number, rights};
        }
    }
    return {};
}

/// While it lives, this process opens no file.
class NoFiles {
public:
    NoFiles() {
        getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit none{0, before_.rlim_max};
        setrlimit(RLIMIT_NOFILE, &none);
    }
    ~NoFiles() { setrlimit(RLIMIT_NOFILE, &before_); }
    NoFiles(const NoFiles&) = delete;
    NoFiles& operator=(const NoFiles&) = delete;

private:
    rlimit before_{};
};

} // namespace

TEST(all_ranks_of_a_host_read_one_list_that_none_can_change) {
    for (const int n_hosts : {1, 2, 3}) {
        const Hosts hosts(n_hosts);
        const RankLocations locations(MPI_COMM_WORLD, hosts.host, hosts.own);
        check_list(locations.all(), n_hosts);
        CHECK_EQ(hosts.host.size() > 1, locations.is_shared());
        const auto [number, rights] = mapping_of(locations.all().data());
        std::uint64_t first = number;
        MPI_Bcast(&first, 1, MPI_UINT64_T, 0, hosts.host.handle());
        CHECK_EQ(first, number);
        CHECK_EQ(locations.is_shared(), number != 0);
        CHECK_EQ(locations.is_shared() ? "r--s" : "rw-p", rights);
    }
}

TEST(a_rank_that_cannot_open_the_pages_of_its_host_has_a_copy) {
    for (const int n_hosts : {1, 2}) {
        const Hosts hosts(n_hosts);
        const bool is_last = hosts.host.rank() == hosts.host.size() - 1;
        std::optional<NoFiles> blind;
        if (is_last && hosts.host.rank() > 0) {
            blind.emplace();
        }
        const RankLocations locations(MPI_COMM_WORLD, hosts.host, hosts.own);
        blind.reset();
        check_list(locations.all(), n_hosts);
        CHECK_EQ(hosts.host.size() > 1 && !is_last, locations.is_shared());
    }
}

TEST(where_the_first_rank_can_make_no_pages_each_has_a_copy) {
    const Hosts hosts(1);
    std::optional<NoFiles> blind;
    if (hosts.host.rank() == 0) {
        blind.emplace();
    }
    const RankLocations locations(MPI_COMM_WORLD, hosts.host, hosts.own);
    blind.reset();
    check_list(locations.all(), 1);
    CHECK(!locations.is_shared());
}

TEST(a_list_outlives_the_first_rank_s_and_moves) {
    const Hosts hosts(1);
    std::optional<RankLocations> first(std::in_place, MPI_COMM_WORLD, hosts.host, hosts.own);
    if (hosts.host.rank() == 0) {
        first.reset();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (first) {
        const RankLocations moved(std::move(*first));
        check_list(moved.all(), 1);
    }
}
