// What one rank of many has to know and to check of calls with counts for each rank, and of reductions: bytes that its
// operation holds besides its buffers, and the processor time of one check of a right result. The rank is made without
// the others: what arrives from them is written by stand-ins of MPI's functions, and MPI_COMM_SELF is the
// communicator, on which a message to any other rank would fail. Each line of output is a row of
// docs/explanation/scale.md. No communication: the same at any number of ranks.
#include "base/random.hpp"
#include "check.hpp"
#include "heap_count.hpp"
#include "workload/counts.hpp"
#include "workload/operation/collective.hpp"

#include <cstdio>
#include <ctime>
#include <functional>
#include <numeric>
#include <vector>

using namespace ictus;

namespace {

constexpr int sizes[] = {64, 1024, 16384, 131072};
constexpr std::size_t block_elements = 8;     // on average
constexpr std::size_t result_elements = 1024; // of an allreduce
constexpr std::uint64_t seed = 5;

/// What the next call of MPI writes in place of the library, and where it wrote it.
std::function<void(std::span<std::int32_t>)> arrive;
std::span<std::int32_t> arrived;

int stand_in(void* receive, std::size_t n_elements) {
    arrived = {static_cast<std::int32_t*>(receive), n_elements};
    arrive(arrived);
    return MPI_SUCCESS;
}

/// One rank of p, in the middle, and the counts of all.
struct Site {
    int n_ranks;
    std::unique_ptr<CountDistribution> distribution = counts::registry().make(bind(counts::family(), {"linear", {}}));
    std::vector<std::uint64_t> counts =
        apportion(block_elements * static_cast<std::uint64_t>(n_ranks), distribution->weights(n_ranks));

    explicit Site(int n) : n_ranks(n) {}
    [[nodiscard]] int rank() const { return n_ranks / 2; }
    [[nodiscard]] CallSite call(std::size_t count) const {
        return {MPI_COMM_SELF,         rank(), n_ranks,           0, &find_datatype("int"),
                &find_operator("sum"), count,  distribution.get()};
    }
};

void write(const Payload& payload, const BlockSource& source, std::span<std::int32_t> out) {
    payload.write(seed, source, std::as_writable_bytes(out));
}

Payload payload_of(const Site& site, std::optional<Arithmetic> arithmetic) {
    return {find_datatype("int").element(), arithmetic, site.n_ranks};
}

void arrive_gathered(const Site& site, std::span<std::int32_t> out) {
    const Payload payload = payload_of(site, std::nullopt);
    std::size_t at = 0;
    for (int rank = 0; rank < site.n_ranks; ++rank) {
        const std::size_t n = site.counts[static_cast<std::size_t>(rank)];
        write(payload, BlockSource::rank(rank), out.subspan(at, n));
        at += n;
    }
}

/// Rank s sends block d of the counts to rank s + d: before its block to this rank lie those of the distances from -s
/// to just below r - s, in a ring.
void arrive_exchanged(const Site& site, std::span<std::int32_t> out) {
    const Payload payload = payload_of(site, std::nullopt);
    const auto p = static_cast<std::size_t>(site.n_ranks);
    const auto own = static_cast<std::size_t>(site.rank());
    std::vector<std::uint64_t> before{0}; // twice round the ring
    for (std::size_t i = 0; i < 2 * p; ++i) {
        before.push_back(before.back() + site.counts[i % p]);
    }
    std::size_t at = 0;
    for (std::size_t from = 0; from < p; ++from) {
        const std::size_t n = site.counts[(own + p - from) % p];
        const std::size_t first = before[p - from + own] - before[p - from];
        write(payload, BlockSource::rank(static_cast<int>(from), first), out.subspan(at, n));
        at += n;
    }
}

void arrive_scattered(const Site& site, std::span<std::int32_t> out) {
    const std::uint64_t first =
        std::accumulate(site.counts.begin(), site.counts.begin() + site.rank(), std::uint64_t{0});
    write(payload_of(site, Arithmetic::sum), BlockSource::ranks_below(site.n_ranks, first), out);
}

void arrive_reduced(const Site& site, std::span<std::int32_t> out) {
    write(payload_of(site, Arithmetic::sum), BlockSource::ranks_below(site.n_ranks), out);
}

struct Call {
    const char* name;
    std::size_t count;
    void (*arrives)(const Site& site, std::span<std::int32_t> out);
    std::size_t bytes_a_rank; ///< that the operation holds
    bool grows;               ///< whether a block for each rank is checked, sent or received
};

// Of blocks of different sizes a partition holds counts and places, 16 bytes; the arguments of MPI are two ints. The
// exchanges have three partitions, of distances and of both directions, and arguments of both.
constexpr std::size_t arguments = 2 * sizeof(int);
constexpr std::size_t exchanged = 3 * 16 + 2 * arguments;
constexpr Call calls[] = {
    {"allreduce", result_elements, arrive_reduced, 0, false},
    {"reduce_scatter", block_elements, arrive_scattered, 16 + arguments, true},
    {"allgatherv", block_elements, arrive_gathered, 16 + arguments, true},
    {"alltoallv", block_elements, arrive_exchanged, exchanged, true},
    {"alltoallw", block_elements, arrive_exchanged, exchanged + sizeof(MPI_Datatype), true},
};

double processor_s() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Of several, the shortest: others on the core make it longer.
double check_s(const Operation& operation) {
    double least = 1e9;
    for (int i = 0; i < 5; ++i) {
        const double begin = processor_s();
        CHECK(!operation.check(seed));
        least = std::min(least, processor_s() - begin);
    }
    return least;
}

/// One flipped bit is reported at its element, at twenty places of the result.
void check_flips(const Operation& operation) {
    const std::size_t n = arrived.size();
    for (std::size_t i = 0; i < 20; ++i) {
        const std::size_t at = SplitMix64::mix(i) % n;
        arrived[at] ^= 1 << (i % 31);
        const auto found = operation.check(seed);
        arrived[at] ^= 1 << (i % 31);
        CHECK(found.has_value());
        CHECK_EQ("element " + std::to_string(at) + " of the receive buffer", found->where);
    }
}

struct Cost {
    std::size_t held_bytes;
    std::size_t peak_bytes; ///< while it is made
    double check_s;
};

Cost measure(const Call& call, int n_ranks) {
    const Site site(n_ranks);
    const std::size_t before = heap_count::held_bytes;
    heap_count::peak_bytes = before;
    const std::unique_ptr<Operation> operation =
        operation::registry().make(bind(operation::family(), {call.name, {}}), site.call(call.count));
    Cost cost{heap_count::held_bytes - before, heap_count::peak_bytes - before, 0.0};
    operation->fill(seed);
    arrive = [&](std::span<std::int32_t> out) { call.arrives(site, out); };
    CHECK_EQ(MPI_SUCCESS, operation->call());
    cost.check_s = check_s(*operation);
    check_flips(*operation);
    return cost;
}

std::size_t sum_of(const int* counts, int n) {
    return static_cast<std::size_t>(std::accumulate(counts, counts + n, 0));
}

int n_ranks = 0; // of the call that is made

} // namespace

// The program's own functions come before those of the library.
extern "C" int MPI_Allgatherv(const void*, int, MPI_Datatype, void* receive, const int* counts, const int*,
                              MPI_Datatype, MPI_Comm) {
    return stand_in(receive, sum_of(counts, n_ranks));
}
extern "C" int MPI_Alltoallv(const void*, const int*, const int*, MPI_Datatype, void* receive, const int* counts,
                             const int*, MPI_Datatype, MPI_Comm) {
    return stand_in(receive, sum_of(counts, n_ranks));
}
extern "C" int MPI_Alltoallw(const void*, const int*, const int*, const MPI_Datatype*, void* receive, const int* counts,
                             const int*, const MPI_Datatype*, MPI_Comm) {
    return stand_in(receive, sum_of(counts, n_ranks));
}
extern "C" int MPI_Reduce_scatter(const void*, void* receive, const int* counts, MPI_Datatype, MPI_Op, MPI_Comm) {
    return stand_in(receive, static_cast<std::size_t>(counts[n_ranks / 2]));
}
extern "C" int MPI_Allreduce(const void*, void* receive, int count, MPI_Datatype, MPI_Op, MPI_Comm) {
    return stand_in(receive, static_cast<std::size_t>(count));
}

TEST(a_rank_of_131072_holds_and_checks_what_is_derived) {
    for (const Call& call : calls) {
        n_ranks = sizes[0];
        (void)measure(call, n_ranks); // what is made once in a program
        std::vector<Cost> costs;
        for (const int size : sizes) {
            n_ranks = size;
            costs.push_back(measure(call, size));
            std::printf("%s | %d | %zu | %zu | %.0f us\n", call.name, size, call.bytes_a_rank,
                        costs.back().peak_bytes / static_cast<std::size_t>(size), 1e6 * costs.back().check_s);
            CHECK_EQ(call.bytes_a_rank * static_cast<std::size_t>(size - sizes[0]),
                     costs.back().held_bytes - costs[0].held_bytes);
        }
        // Ranks times 128 and times 8. Where a check looked at all values of all ranks, it would take 128 times as
        // long, and in steps that themselves grow, 64 times.
        const double growth = call.grows ? costs[3].check_s / costs[2].check_s : costs[3].check_s / costs[1].check_s;
        CHECK(growth < 24.0);
    }
}
