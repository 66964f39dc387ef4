// A test instrument: a library to preload that makes collectives slower by a known time, behind MPI's back, so that
// tests show that a whole study finds the difference. Every rank waits, spinning, and then makes the real call:
//     ICTUS_DELAY      MPI_Bcast=500,MPI_Allreduce=1200   nanoseconds by MPI name; without it nothing is delayed
//     ICTUS_DELAY_LOG  a file to which each rank appends a line of JSON for each delayed name when MPI is finalised:
//                      calls, and the mean and the minimum of their real waits
// A wait is over with the first reading of the clock at or after its end, so it is longer by about one reading (20 to
// 40 ns); the log has the real times. Only blocking collectives with data, and MPI_Barrier, are delayed.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

namespace {

constexpr std::int64_t longest_ns = 1'000'000'000;

struct Delay {
    std::string_view name;
    std::int64_t asked_ns = 0;
    std::int64_t calls = 0;
    std::int64_t waited_ns = 0;
    std::int64_t least_ns = longest_ns * 1000;
};

using Delays = std::array<Delay, 12>;

[[noreturn]] void refuse(std::string_view item, const char* why) {
    std::fprintf(stderr, "ictus-delay: variable 'ICTUS_DELAY', '%.*s': %s\n", static_cast<int>(item.size()),
                 item.data(), why);
    std::_Exit(2);
}

std::int64_t nanoseconds(std::string_view item, std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 0 || value > longest_ns) {
        refuse(item, "expected NAME=NANOSECONDS, a whole number from 0 to 1000000000");
    }
    return value;
}

void set(Delays& delays, std::string_view item) {
    const std::size_t equals = item.find('=');
    const std::string_view name = item.substr(0, equals);
    for (Delay& delay : delays) {
        if (delay.name == name) {
            delay.asked_ns = nanoseconds(item, equals == item.npos ? "" : item.substr(equals + 1));
            return;
        }
    }
    refuse(item, "not a blocking collective; known are MPI_Barrier, MPI_Bcast, MPI_Gather, MPI_Scatter, MPI_Allgather, "
                 "MPI_Alltoall, MPI_Reduce, MPI_Allreduce, MPI_Reduce_scatter, MPI_Reduce_scatter_block, MPI_Scan, "
                 "MPI_Exscan");
}

Delays read_delays() {
    Delays delays{{{"MPI_Barrier"},
                   {"MPI_Bcast"},
                   {"MPI_Gather"},
                   {"MPI_Scatter"},
                   {"MPI_Allgather"},
                   {"MPI_Alltoall"},
                   {"MPI_Reduce"},
                   {"MPI_Allreduce"},
                   {"MPI_Reduce_scatter"},
                   {"MPI_Reduce_scatter_block"},
                   {"MPI_Scan"},
                   {"MPI_Exscan"}}};
    const char* const text = std::getenv("ICTUS_DELAY");
    std::string_view rest = text == nullptr ? "" : text;
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        set(delays, rest.substr(0, comma));
        rest = comma == rest.npos ? "" : rest.substr(comma + 1);
    }
    return delays;
}

Delays& all_delays() {
    static Delays delays = read_delays();
    return delays;
}

/// A mistake is found when the library is loaded, not when the first call is made.
__attribute__((constructor)) void begin_early() { (void)all_delays(); }

Delay& delay_of(std::string_view name) {
    for (Delay& delay : all_delays()) {
        if (delay.name == name) {
            return delay;
        }
    }
    std::abort(); // every name below is in the list
}

std::int64_t now_ns() {
    std::timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// Not a wait of the product: it stands for work that a slower library would do.
void spend(Delay& delay) {
    if (delay.asked_ns == 0) {
        return;
    }
    const std::int64_t begin = now_ns();
    std::int64_t now = begin;
    while (now - begin < delay.asked_ns) {
        now = now_ns();
    }
    ++delay.calls;
    delay.waited_ns += now - begin;
    delay.least_ns = std::min(delay.least_ns, now - begin);
}

void write_log() {
    const char* const path = std::getenv("ICTUS_DELAY_LOG");
    if (path == nullptr) {
        return;
    }
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::string lines;
    for (const Delay& delay : all_delays()) {
        if (delay.calls > 0) {
            const double mean_ns = static_cast<double>(delay.waited_ns) / static_cast<double>(delay.calls);
            lines += "{\"rank\": " + std::to_string(rank) + ", \"operation\": \"" + std::string(delay.name) + "\"";
            lines +=
                ", \"asked_ns\": " + std::to_string(delay.asked_ns) + ", \"calls\": " + std::to_string(delay.calls);
            lines += ", \"mean_ns\": " + std::to_string(mean_ns) + ", \"least_ns\": " + std::to_string(delay.least_ns) +
                     "}\n";
        }
    }
    if (std::FILE* const file = std::fopen(path, "ae"); file != nullptr) { // one write: lines of ranks do not mix
        std::fwrite(lines.data(), 1, lines.size(), file);
        std::fclose(file);
    } else {
        std::fprintf(stderr, "ictus-delay: variable 'ICTUS_DELAY_LOG': cannot write to '%s'\n", path);
    }
}

} // namespace

extern "C" {

int MPI_Finalize() {
    write_log();
    return PMPI_Finalize();
}

int MPI_Barrier(MPI_Comm comm) {
    static Delay& own = delay_of("MPI_Barrier");
    spend(own);
    return PMPI_Barrier(comm);
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    static Delay& own = delay_of("MPI_Bcast");
    spend(own);
    return PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
               int root, MPI_Comm comm) {
    static Delay& own = delay_of("MPI_Gather");
    spend(own);
    return PMPI_Gather(send, send_count, send_type, receive, count, type, root, comm);
}

int MPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
                int root, MPI_Comm comm) {
    static Delay& own = delay_of("MPI_Scatter");
    spend(own);
    return PMPI_Scatter(send, send_count, send_type, receive, count, type, root, comm);
}

int MPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
                  MPI_Comm comm) {
    static Delay& own = delay_of("MPI_Allgather");
    spend(own);
    return PMPI_Allgather(send, send_count, send_type, receive, count, type, comm);
}

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
                 MPI_Comm comm) {
    static Delay& own = delay_of("MPI_Alltoall");
    spend(own);
    return PMPI_Alltoall(send, send_count, send_type, receive, count, type, comm);
}

int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    static Delay& own = delay_of("MPI_Reduce");
    spend(own);
    return PMPI_Reduce(send, receive, count, type, op, root, comm);
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    static Delay& own = delay_of("MPI_Allreduce");
    spend(own);
    return PMPI_Allreduce(send, receive, count, type, op, comm);
}

int MPI_Reduce_scatter(const void* send, void* receive, const int counts[], MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
    static Delay& own = delay_of("MPI_Reduce_scatter");
    spend(own);
    return PMPI_Reduce_scatter(send, receive, counts, type, op, comm);
}

int MPI_Reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    static Delay& own = delay_of("MPI_Reduce_scatter_block");
    spend(own);
    return PMPI_Reduce_scatter_block(send, receive, count, type, op, comm);
}

int MPI_Scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    static Delay& own = delay_of("MPI_Scan");
    spend(own);
    return PMPI_Scan(send, receive, count, type, op, comm);
}

int MPI_Exscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    static Delay& own = delay_of("MPI_Exscan");
    spend(own);
    return PMPI_Exscan(send, receive, count, type, op, comm);
}

} // extern "C"
